import type { ComponentType, FunctionComponent } from 'preact';
import { useEffect, useState } from 'preact/hooks';

const retryMs = 3000;

/** A part of the page that is fetched when it is first shown; its place is kept meanwhile. */
export const lazy = <P extends object>(
  load: () => Promise<ComponentType<P>>,
  height = 0,
): FunctionComponent<P> => {
  let loaded: ComponentType<P> | undefined;
  return (props: P) => {
    const [tries, setTries] = useState(0);
    useEffect(() => {
      if (loaded !== undefined) return;
      let timer: ReturnType<typeof setTimeout> | undefined;
      let isGone = false;
      const again = (ms: number) => {
        if (!isGone) timer = setTimeout(() => setTries(tries + 1), ms);
      };
      load().then(
        (part) => {
          loaded = part;
          again(0);
        },
        () => again(retryMs),
      );
      return () => {
        isGone = true;
        clearTimeout(timer);
      };
    }, [tries]);
    const Part = loaded;
    return Part === undefined ? <div style={{ minHeight: `${height}px` }} /> : <Part {...props} />;
  };
};
