import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';

/** Takes the focus when it appears, if the control that had it is gone with the step before. */
export const useFallenFocus = <E extends HTMLElement>(isAfterStep = true) => {
  const element = useRef<E>(null);
  useLayoutEffect(() => {
    if (isAfterStep && document.activeElement === document.body)
      element.current?.focus({ preventScroll: true });
  }, []);
  return element;
};

/** What a step of an import is about. */
export const StepTitle = ({ children }: { children: ComponentChildren }) => (
  <h2 ref={useFallenFocus<HTMLHeadingElement>()} tabIndex={-1}>
    {children}
  </h2>
);
