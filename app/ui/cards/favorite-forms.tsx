import { useLocation, useNavigation, useRevalidator, useRouteLoaderData } from "@remix-run/react";
import {
  createContext,
  type ReactNode,
  type SyntheticEvent,
  useCallback,
  useContext,
  useEffect,
  useMemo,
  useRef,
  useState,
} from "react";
import { PREFETCH_LIFETIME_SECONDS } from "../navigation/prefetch-lifetime.ts";
import { favoriteKey, saveFavorite } from "./save-favorite.ts";
import type { Outcome } from "./save-newest.ts";

interface Press {
  isOn?: boolean;
  /** The end of a sentence that says why it was not saved. */
  error: string | null;
  /** By performance.now(); infinite until the server has answered. */
  answeredAt: number;
}

type Presses = ReadonlyMap<string, Press>;

interface FavoriteForms {
  here: string;
  /** By favoriteKey(): what the page's data may lack. */
  presses: Presses;
  press: (mediaId: string, photo: number | undefined, isFavorited: boolean) => Promise<Outcome>;
  reload: () => void;
}

const FavoriteFormsContext = createContext<FavoriteForms>({
  here: "/",
  presses: new Map(),
  press: async (_, __, isFavorited) => ({ error: null, stored: isFavorited }),
  reload() {},
});

export function useFavoriteForms(): FavoriteForms {
  return useContext(FavoriteFormsContext);
}

/** The state of one heart. `toggle` handles its press, which a browser without JavaScript sends as a form. */
export function useFavorite(mediaId: string, photo: number | undefined, isFavorited: boolean) {
  const { here, presses, press, reload } = useFavoriteForms();
  const { isOn = isFavorited, error = null } = presses.get(favoriteKey(mediaId, photo)) ?? {};
  const toggle = async (event: SyntheticEvent) => {
    event.preventDefault();
    if ((await press(mediaId, photo, !isOn)).error === null) reload();
  };
  return { here, isOn, error, toggle };
}

/**
 * One provider for all hearts of a page, because the router's hooks in each would be slow to render. Hearts do not use the
 * router's forms, which would replace the page with the error page when a heart was not saved.
 */
export function FavoriteFormsProvider({ children }: { children: ReactNode }) {
  const { pathname, search, key } = useLocation();
  const here = pathname + search;
  const { revalidate, state } = useRevalidator();
  const isLoading = useNavigation().state !== "idle" || state !== "idle";
  const data = useRouteLoaderData("root");
  const [presses, setPresses] = useState<Presses>(new Map());
  const loadingSince = useRef(0);

  // biome-ignore lint/correctness/useExhaustiveDependencies: a load may begin and end within one render, which then has new data.
  useEffect(() => {
    if (isLoading) loadingSince.current = performance.now();
    else setPresses((all) => withoutLoaded(all, loadingSince.current));
  }, [isLoading, data]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: an error is read on the page of its heart.
  useEffect(() => setPresses((all) => withoutErrors(all, loadingSince.current)), [key]);

  const press = useCallback(async (mediaId: string, photo: number | undefined, isOn: boolean) => {
    const keep = (pressed: Press) =>
      setPresses((all) => new Map(all).set(favoriteKey(mediaId, photo), pressed));
    keep({ isOn, error: null, answeredAt: Number.POSITIVE_INFINITY });
    const { stored, error } = await saveFavorite(mediaId, photo, isOn);
    keep({ isOn: stored, error, answeredAt: performance.now() });
    return { stored, error };
  }, []);
  const reload = useCallback(() => {
    loadingSince.current = performance.now();
    revalidate();
  }, [revalidate]);
  const forms = useMemo(() => ({ here, presses, press, reload }), [here, presses, press, reload]);
  return <FavoriteFormsContext.Provider value={forms}>{children}</FavoriteFormsContext.Provider>;
}

/**
 * Loaded data contains what was answered before the load began, unless the browser has it from before a click. An error
 * still has to be read.
 */
function withoutLoaded(presses: Presses, loadingSince: number): Presses {
  const isLoaded = ({ answeredAt }: Press) => answeredAt + PREFETCH_LIFETIME_SECONDS * 1_000 <= loadingSince;
  if (![...presses.values()].some(isLoaded)) return presses;
  return new Map(
    [...presses].flatMap(([key, { isOn, ...press }]) => {
      if (!isLoaded(press)) return [[key, { isOn, ...press }]];
      return press.error === null ? [] : [[key, press]];
    }),
  );
}

function withoutErrors(presses: Presses, loadingSince: number): Presses {
  const isRead = ({ error, answeredAt }: Press) => error !== null && answeredAt <= loadingSince;
  if (![...presses.values()].some(isRead)) return presses;
  return new Map(
    [...presses].flatMap(([key, press]) => {
      if (!isRead(press)) return [[key, press]];
      return press.isOn === undefined ? [] : [[key, { ...press, error: null }]];
    }),
  );
}
