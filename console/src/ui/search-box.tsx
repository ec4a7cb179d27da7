import { useEffect, useRef, useState } from 'preact/hooks';
import { Icon } from './icon.tsx';
import './search-box.css';

const pauseMs = 300;

/** Searches once the reader stops typing. `/` goes here from anywhere. */
export const SearchBox = ({
  label,
  value,
  onSearch,
  inputMode = 'search',
}: {
  label: string;
  value: string;
  onSearch: (value: string) => void;
  inputMode?: 'search' | 'tel';
}) => {
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
  return (
    <div class="search">
      <Icon name="search" />
      <input
        type="search"
        inputMode={inputMode}
        aria-label={label}
        placeholder={label}
        value={typed}
        dir="auto"
        data-search
        onInput={(event) => type(event.currentTarget.value)}
      />
    </div>
  );
};
