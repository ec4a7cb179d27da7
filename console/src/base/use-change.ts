import { useEffect, useRef } from 'preact/hooks';

/** Acts when a value becomes another one than it was. */
export const useChange = (value: number | undefined, act: () => void): void => {
  const known = useRef(value);
  useEffect(() => {
    if (known.current !== undefined && known.current !== value) act();
    known.current = value;
  }, [value]);
};
