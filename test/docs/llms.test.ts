import { expect, it } from 'vitest';
import { routes } from '../../shared/app/all-routes.ts';
import { errorWords } from '../../shared/platform/rules/errors.ts';
import { pages, textOf } from '../support/docs/pages.ts';

const text = textOf('llms.txt');

it('llms.txt names error words and lease times as the code has them', () => {
  const named = [...text.matchAll(/`([A-Z]+(?:_[A-Z]+)+)`/g)].map(([, word = '']) => word);
  expect(named.filter((word) => !(word in errorWords))).toEqual([]);
  const { minimum, maximum, default: usual } = routes.leaseCalls.body.properties.leaseSeconds;
  expect(text).toContain(`\`leaseSeconds\` is ${minimum} to ${maximum}, ${usual} by default`);
});

it('llms.txt names every page for those who use the service', () => {
  const translated = /\.zh\.md$/;
  const forTheTeam = ['docs/release-day.md', 'docs/upgrading.md', 'docs/connect.md'];
  const guides = pages.filter((page) => /^docs\/[^/]+\.md$/.test(page) && !translated.test(page));
  const missing = guides.filter((page) => !text.includes(`](${page})`) && !forTheTeam.includes(page));
  expect(missing).toEqual([]);
});
