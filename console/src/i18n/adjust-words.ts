import { type Phrases, quoted } from './phrases.ts';

export const adjustWords = {
  adjust: {
    open: ['Adjust', '调整'],
    title: (name: string) => [`Adjust ${quoted(name)}`, `调整${quoted(name)}`],
    words: [
      'Changes hold from the next call on. Calls in progress are not affected.',
      '修改从下一次呼叫起生效，不影响正在进行的通话。',
    ],
    callFrom: ['Not before', '最早开始时间'],
    callUntil: ['Ends at', '截止时间'],
    datesHint: (zone: string) => [
      `In the zone ${zone}. The task is stopped when it ends.`,
      `时区为 ${zone}。到截止时间后任务自动终止。`,
    ],
    pace: ['Pace', '呼叫节奏'],
    maxConcurrentCalls: ['Max. calls at the same time', '最大并发数'],
    callsPerMinute: ['Max. calls a minute', '每分钟最多呼叫次数'],
    noLimit: ['No limit', '不限'],
    less: (what: string) => [`${what}: less`, `${what}：减少`],
    more: (what: string) => [`${what}: more`, `${what}：增加`],
    without: (what: string) => [`${what}: no limit`, `${what}：不限`],
    paceHint: [
      'Holds for all dialers together, from the next call on.',
      '对所有拨号器合计，从下一次呼叫起生效。',
    ],
    brake: ['Pause when calls fail', '失败过多时自动暂停'],
    failedPercent: ['Failed calls (%)', '失败比例（%）'],
    failedCalls: ['Of the last calls', '最近呼叫次数'],
    brakeHint: ['Leave both empty for a task that does not pause itself.', '两项都留空则不自动暂停。'],
  },
} satisfies Phrases;
