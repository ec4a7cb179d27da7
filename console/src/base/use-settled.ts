import { useEffect, useState } from 'preact/hooks';

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
