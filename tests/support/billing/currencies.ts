/** https://docs.stripe.com/currencies: the presentment currencies, those with exceptional decimals first. */
export const WHOLE = "bif clp djf gnf jpy kmf krw mga pyg rwf vnd vuv xaf xof xpf".split(" ");
export const THOUSANDTHS = "bhd jod kwd omr tnd".split(" ");
const HUNDREDTHS =
  `aed afn all amd ang aoa ars aud awg azn bam bbd bdt bgn bmd bnd bob brl bsd bwp byn bzd cad cdf chf
  cny cop crc cve czk dkk dop dzd egp etb eur fjd fkp gbp gel gip gmd gtq gyd hkd hnl hrk htg huf idr ils inr isk jmd
  kes kgs khr kyd kzt lak lbp lkr lrd lsl mad mdl mkd mmk mnt mop mur mvr mwk mxn myr mzn nad ngn nio nok npr nzd pab
  pen pgk php pkr pln qar ron rsd rub sar sbd scr sek sgd shp sle sll sos srd std szl thb tjs top try ttd twd tzs uah
  ugx usd uyu uzs wst xcd xcg yer zar zmw`.split(/\s+/);
export const CURRENCIES = [...WHOLE, ...THOUSANDTHS, ...HUNDREDTHS];
