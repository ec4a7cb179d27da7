import type { JSX } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { Icon } from './icon.tsx';
import './search-box.css';

const pauseMs = 300;

type SearchInputProps = Omit<JSX.IntrinsicElements['input'], 'label' | 'ref'> & {
  label: string;
  value: string;
  onValue: (value: string) => void;
};

export const SearchInput = ({ label, onValue, ...rest }: SearchInputProps) => (
  <div class="search">
    <Icon name="search" />
    <input
      type="search"
      aria-label={label}
      placeholder={label}
      dir="auto"
      {...rest}
      onInput={(event) => onValue(event.currentTarget.value)}
    />
  </div>
);

type SearchBoxProps = {
  label: string;
  value: string;
  onSearch: (value: string) => void;
  inputMode?: 'search' | 'tel';
};

/** Searches once the reader stops typing. The key `f` goes here. */
export const SearchBox = ({ label, value, onSearch, inputMode = 'search' }: SearchBoxProps) => {
  const [typed, type] = useState(value);
  const sent = useRef(value);
  useEffect(() => {
    // Back and forward change the address under the field.
    if (value !== sent.current) {
      sent.current = value;
      type(value);
    }
  }, [value]);
  useEffect(() => {
    if (typed.trim() === sent.current) return;
    const timer = setTimeout(() => {
      sent.current = typed.trim();
      onSearch(typed.trim());
    }, pauseMs);
    return () => clearTimeout(timer);
  }, [typed]);
  return <SearchInput label={label} inputMode={inputMode} value={typed} onValue={type} data-search />;
};
