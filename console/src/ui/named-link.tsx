import { Link } from 'wouter-preact';

export const Sub = ({ text }: { text: string | null | undefined }) =>
  text ? (
    <div class="sub">
      <bdi>{text}</bdi>
    </div>
  ) : null;

/** The name of a task or a list, which leads to it, with what describes it below. */
export const NamedLink = ({ href, name, below }: { href: string; name: string; below?: string }) => (
  <>
    <Link href={href} class="row-link strong" title={name}>
      <bdi>{name}</bdi>
    </Link>
    <Sub text={below} />
  </>
);
