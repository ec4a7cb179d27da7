import { useEffect, useRef, useState } from 'preact/hooks';

const pauseMs = 400;

/** The value once it has not changed for a moment: each key typed is no question to the service. */
export const useSettled = <T>(value: T): T => {
  const [settled, settle] = useState(value);
  const text = JSON.stringify(value);
  useEffect(() => {
    const timer = setTimeout(() => settle(value), pauseMs);
    return () => clearTimeout(timer);
  }, [text]);
  return settled;
};

/** Acts when a value becomes another one than it was. */
export const useChange = (value: number | undefined, act: () => void): void => {
  const known = useRef(value);
  useEffect(() => {
    if (known.current !== undefined && known.current !== value) act();
    known.current = value;
  }, [value]);
};

/** A value that several parts of the page share. */
type Store<T> = {
  get: () => T;
  set: (value: T) => void;
  subscribe: (listener: () => void) => () => void;
};

export const createStore = <T>(initial: T): Store<T> => {
  let value = initial;
  const listeners = new Set<() => void>();
  return {
    get: () => value,
    set: (next) => {
      if (Object.is(next, value)) return;
      value = next;
      for (const listener of [...listeners]) listener();
    },
    subscribe: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
};

export const useStore = <T>(store: Store<T>): T => {
  const [, redraw] = useState(0);
  useEffect(() => store.subscribe(() => redraw((count) => count + 1)), [store]);
  return store.get();
};
