import { useEffect, useId, useRef, useState } from 'preact/hooks';
import { Icon } from '../actions/button.tsx';
import css from './field.module.css';
import type { Tied } from './field.tsx';

type Choice = { id: string; label: string; note?: string };

export type ComboboxProps = Partial<Tied> & {
  'aria-label'?: string;
  placeholder: string;
  /** Shown until the reader types; empty in a field that takes one choice after the other. */
  value: string;
  /** A function where they are worth computing only while the list is open. */
  choices: readonly Choice[] | (() => readonly Choice[]);
  /** The field has the focus: choices will be shown. */
  onOpen?: () => void;
  onType: (text: string) => void;
  onChoose: (choice: Choice) => void;
  /** Said where there is nothing to choose from; absent while that is not known. */
  none?: string | undefined;
};

/** A field that searches while the reader types: arrows and Enter choose, Escape gives up. */
export const Combobox = (props: ComboboxProps) => {
  const { value, choices: given, onOpen, onType, onChoose, none, ...rest } = props;
  const own = useId();
  const id = rest.id ?? own;
  const [open, setOpen] = useState(false);
  const [typed, setTyped] = useState<string | undefined>();
  const [at, setAt] = useState(0);
  const choices = typeof given !== 'function' ? given : open ? given() : [];
  const list = useRef<HTMLDivElement>(null);
  // The list of choices is a new object at every render, with the same ids.
  const offered = choices.map((choice) => choice.id).join();
  useEffect(() => setAt(0), [offered]);
  useEffect(() => {
    list.current?.children[at]?.scrollIntoView({ block: 'nearest' });
  }, [at]);
  const leave = () => {
    setOpen(false);
    setTyped(undefined);
    onType('');
  };
  const choose = (choice: Choice | undefined) => {
    if (choice === undefined) return;
    onChoose(choice);
    leave();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      event.preventDefault();
      setOpen(true);
      const step = event.key === 'ArrowDown' ? 1 : -1;
      setAt((at + step + choices.length) % Math.max(1, choices.length));
    } else if (event.key === 'Enter' && open) {
      event.preventDefault();
      choose(choices[at]);
    } else if (event.key === 'Escape' && open) {
      event.preventDefault();
      event.stopPropagation();
      leave();
    }
  };
  return (
    <div class={css.combobox}>
      <input
        {...rest}
        id={id}
        role="combobox"
        aria-expanded={open && choices.length > 0}
        aria-controls={`${id}-list`}
        aria-autocomplete="list"
        aria-activedescendant={open && choices[at] ? `${id}-${at}` : undefined}
        autocomplete="off"
        dir="auto"
        value={typed ?? value}
        onFocus={() => {
          setOpen(true);
          onOpen?.();
        }}
        onClick={() => setOpen(true)}
        onBlur={leave}
        onKeyDown={onKeyDown}
        onInput={(event) => {
          setTyped(event.currentTarget.value);
          setOpen(true);
          onType(event.currentTarget.value);
        }}
      />
      <span class={css.chevron}>
        <Icon name="down" size={12} />
      </span>
      {open && choices.length > 0 && (
        <div
          class={`${css.comboboxList} popup`}
          role="listbox"
          id={`${id}-list`}
          // A box that scrolls would be a stop of the Tab key, and is gone when the field loses the focus.
          tabIndex={-1}
          aria-label={rest.placeholder}
          ref={list}
        >
          {choices.map((choice, i) => (
            // biome-ignore lint/a11y/useKeyWithClickEvents: the field takes the keys; the focus stays there
            <div
              key={choice.id}
              class={`${css.option} row wrap`}
              id={`${id}-${i}`}
              role="option"
              tabIndex={-1}
              aria-selected={i === at}
              // The field would lose the focus, and the list would be gone, before the click.
              onPointerDown={(event) => event.preventDefault()}
              onClick={() => choose(choice)}
            >
              <bdi>{choice.label}</bdi>
              {choice.note && <span class="faint">{choice.note}</span>}
            </div>
          ))}
        </div>
      )}
      {open && choices.length === 0 && none !== undefined && (
        <div class={`${css.comboboxList} popup faint`} role="status">
          {none}
        </div>
      )}
    </div>
  );
};
