import { useEffect, useRef } from 'preact/hooks';

/** A box that scrolls sideways: it says in `data-more` at which sides it goes on, and these edges fade. */
export const useEdges = <E extends HTMLElement>() => {
  const box = useRef<E>(null);
  useEffect(() => {
    const shown = box.current;
    if (shown === null) return;
    const mark = () => {
      const { scrollLeft, scrollWidth, clientWidth } = shown;
      const sides = [scrollLeft > 1 && 'left', scrollLeft + clientWidth < scrollWidth - 1 && 'right'];
      shown.dataset.more = sides.filter(Boolean).join(' ');
    };
    const watching = new ResizeObserver(mark);
    for (const each of [shown, ...shown.children]) watching.observe(each);
    shown.addEventListener('scroll', mark, { passive: true });
    return () => {
      watching.disconnect();
      shown.removeEventListener('scroll', mark);
    };
  });
  return box;
};
