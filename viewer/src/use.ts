import { createContext } from 'preact';
import { useContext, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { State, Store } from './state';

export const Shared = createContext<Store>(null as unknown as Store);

/**
 * The store; who asks for it is shown again when one of these parts changes. The window changes with
 * every frame in which something is dragged, so nearly nobody asks for that.
 */
export function useStore(...parts: (keyof State)[]): [Store, State] {
  const store = useContext(Shared);
  const [, again] = useState(0);
  const shown = useRef(store.state);
  shown.current = store.state;
  // Other effects come after a frame, which may take long: what changed until then would not be seen.
  useLayoutEffect(() => {
    const look = () => {
      const isNew = (part: keyof State) => store.state[part] !== shown.current[part];
      if (isNew('version') || parts.some(isNew)) again((n) => n + 1);
    };
    look();
    return store.subscribe(look);
  }, [store]);
  return [store, store.state];
}
