import { createContext } from 'preact';
import { useContext, useEffect, useState } from 'preact/hooks';
import { State, Store } from './state';

export const Shared = createContext<Store>(null as unknown as Store);

/**
 * The store; who asks for it is shown again when one of these parts changes. The window changes with
 * every frame in which something is dragged, so nearly nobody asks for that.
 */
export function useStore(...parts: (keyof State)[]): [Store, State] {
  const store = useContext(Shared);
  const [, again] = useState(0);
  useEffect(() => {
    let last = store.state;
    return store.subscribe(() => {
      const { state } = store;
      if (parts.some((part) => state[part] !== last[part])) again((n) => n + 1);
      last = state;
    });
  }, [store]);
  return [store, store.state];
}
