import { useState } from 'preact/hooks';
import { Icon } from './icon.tsx';
import './opened.css';

/** The row of a list that is open, and the button in the row that opens it. */
export const useOpened = () => {
  const [opened, setOpened] = useState<string | undefined>();
  return {
    isOpen: (id: string) => opened === id,
    opener: (id: string, text: string, label: string) => (
      <button
        type="button"
        class="disclosure bare row strong"
        aria-expanded={opened === id}
        aria-label={label}
        onClick={() => setOpened(opened === id ? undefined : id)}
      >
        <Icon name={opened === id ? 'down' : 'right'} size={12} />
        <bdi>{text}</bdi>
      </button>
    ),
  };
};
