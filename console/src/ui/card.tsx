import type { ComponentChildren } from 'preact';
import { useId } from 'preact/hooks';
import './card.css';

type CardProps = { title: string; tools?: ComponentChildren; children: ComponentChildren };

/** A part of a screen with a title of its own. */
export const Card = ({ title, tools, children }: CardProps) => {
  const id = useId();
  return (
    <section class="card padded" aria-labelledby={id}>
      <div class="card-title row wrap">
        <h2 id={id}>{title}</h2>
        {tools && <div class="row">{tools}</div>}
      </div>
      {children}
    </section>
  );
};
