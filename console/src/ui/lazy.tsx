import type { ComponentType } from 'preact';
import { useEffect, useState } from 'preact/hooks';

/** A part of the page that is fetched when it is first shown; its place is kept meanwhile. */
export const lazy = <P extends object>(
  load: () => Promise<ComponentType<P>>,
  height = 0,
): ComponentType<P> => {
  let loaded: ComponentType<P> | undefined;
  return (props: P) => {
    const [, redraw] = useState(0);
    useEffect(() => {
      if (loaded !== undefined) return;
      let gone = false;
      load().then((part) => {
        loaded = part;
        if (!gone) redraw(1);
      });
      return () => {
        gone = true;
      };
    }, []);
    const Part = loaded;
    return Part === undefined ? <div style={{ minHeight: `${height}px` }} /> : <Part {...props} />;
  };
};
