import type { ComponentChildren } from 'preact';
import { useWords } from '../i18n/i18n.ts';
import { Button } from './button.tsx';
import type { Chosen } from './chosen.tsx';
import { Refused } from './refused.tsx';

type ChosenBarProps = { chosen: Chosen; refused?: string | undefined; children: ComponentChildren };

/** What can be done with the rows that are selected, on this page of the list or on another. */
export const ChosenBar = ({ chosen, refused, children }: ChosenBarProps) => {
  const t = useWords();
  if (chosen.ids.size === 0) return null;
  return (
    <div class="chosen-bar row wrap">
      <span>{t.common.chosen(chosen.ids.size)}</span>
      {children}
      <Button kind="quiet" onClick={chosen.clear} label={t.common.chooseNone} />
      <Refused words={refused} />
    </div>
  );
};
