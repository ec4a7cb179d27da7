import { counted, type Phrase, type Phrases, whole } from './phrases.ts';

/** What a contact waits for: its name, and how it is said after a number and before a time. */
const wait = (label: Phrase, some: (count: number) => Phrase) => ({ label, some });

export const waitWords = {
  waits: {
    title: ['Waiting', '等待中'],
    all: (count: number) => [
      `${whole(count)}, by the reason that ends last`,
      `${whole(count)} 人，按最后解除的限制`,
    ],
    callable: ['Callable now', '现在可呼叫'],
    later: ['Later', '稍后'],
    total: (callable: number, later: number) => [
      `${whole(callable)} callable now, ${whole(later)} later`,
      `现在可呼叫 ${whole(callable)} 人，稍后 ${whole(later)} 人`,
    ],
    today: ['can still be called today', '人今天还可呼叫'],
    upTo: (count: number) => [`up to ${whole(count)}`, `最多 ${whole(count)}`],
    until: (time: string, pace: string) => [
      `About until ${time} at ${pace} a minute.`,
      `按每分钟 ${pace} 次，约到 ${time}。`,
    ],
    laterFrom: (count: number, from: string | undefined) => [
      `${whole(count)} later${from === undefined ? '' : `, from ${from}`}.`,
      `另有 ${whole(count)} 人${from === undefined ? '稍后可呼叫' : `${from} 起可呼叫`}。`,
    ],
    tomorrow: (time: string) => [`tomorrow ${time}`, `明天 ${time}`],
    inMinutes: (count: number) => [`in ${whole(count)} min`, `${whole(count)} 分钟后`],
    startingAt: (time: string) => [`from ${time}`, `${time} 起`],
    between: (from: string, to: string) => [
      `the first at ${from}, the last at ${to}`,
      `最早 ${from}，最晚 ${to}`,
    ],
    reasons: {
      HOURS: wait(['Calling hours', '呼叫时段'], () => ['open at', '未到呼叫时段']),
      RETRY: wait(['Retry', '重呼'], (count) => [count === 1 ? 'retry at' : 'retries from', '待重呼']),
      CALLBACK: wait(['Callback', '预约回呼'], (count) => [
        count === 1 ? 'callback at' : 'callbacks from',
        '预约回呼',
      ]),
      DAILY_LIMIT: wait(['Limit of the day', '当日上限'], () => [
        'at the limit of the day until',
        '已达当日上限',
      ]),
      CALL_LIMITS: wait(['Call limit', '频次上限'], () => ['at a call limit until', '已达频次上限']),
      REST: wait(['Rest after a conversation', '通话后静默期'], () => ['at rest until', '处于通话后静默期']),
      CALL_AFTER: wait(['Not before', '最早可呼叫时间'], () => ['not before', '未到最早可呼叫时间']),
      OTHER: wait(['Not looked at yet', '尚未处理'], () => ['not looked at yet', '尚未处理']),
    },
    moved: (count: number) => [
      `${counted(count, 'callback')} will be later than agreed, because of hours or a limit.`,
      `${whole(count)} 个预约回呼因呼叫时段或上限而晚于约定时间。`,
    ],
    shaded: ['Shaded: outside the calling hours of the task.', '灰色：不在任务的呼叫时段。'],
    nextHours: ['The next 24 hours', '未来 24 小时'],
    becomeCallable: ['people who become callable', '开始可呼叫的人数'],
  },
} satisfies Phrases;
