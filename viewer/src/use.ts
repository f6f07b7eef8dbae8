import { createContext } from 'preact';
import { useContext, useEffect, useState } from 'preact/hooks';
import { State, Store } from './state';

export const Shared = createContext<Store>(null as unknown as Store);

/** The store; who asks for it is shown again when it changes. */
export function useStore(): [Store, State] {
  const store = useContext(Shared);
  const [, again] = useState(0);
  useEffect(() => store.subscribe(() => again((n) => n + 1)), [store]);
  return [store, store.state];
}
