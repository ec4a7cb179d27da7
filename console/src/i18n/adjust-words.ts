import { type Phrases, quoted } from './phrases.ts';

export const adjustWords = {
  adjust: {
    open: ['Adjust', '调整'],
    title: (name: string) => [`Adjust ${quoted(name)}`, `调整${quoted(name)}`],
    words: [
      'Changes hold from the next call on. Calls in progress are not affected.',
      '修改从下一次呼叫起生效，不影响正在进行的通话。',
    ],
    less: (what: string) => [`${what}: less`, `${what}：减少`],
    more: (what: string) => [`${what}: more`, `${what}：增加`],
    without: (what: string) => [`${what}: no limit`, `${what}：不限`],
    paceHint: [
      'Holds for all dialers together, from the next call on.',
      '对所有拨号器合计，从下一次呼叫起生效。',
    ],
  },
} satisfies Phrases;
