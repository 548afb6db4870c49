/** What the host has entered or received at CCBill. */
export interface CcbillSettings {
  clientAccnum: string;
  clientSubacc: string;
  flexId: string;
  salt: string;
  dataLinkUser: string;
  dataLinkPassword: string;
  /** May contain variables of the link, as %%name%%. */
  approvalUrl: string;
  denialUrl: string;
}
