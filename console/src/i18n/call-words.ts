import { counted, type Phrases, quoted, whole } from './phrases.ts';

export const callWords = {
  title: ['Calls', '呼叫记录'],
  ofTask: (name: string) => [`Calls of ${quoted(name)}`, `${quoted(name)}的呼叫记录`],
  total: (count: number) => [counted(count, 'call'), `共 ${whole(count)} 次呼叫`],
  all: ['All calls', '全部呼叫'],
  /** A call is connected; a contact is reached. */
  connected: ['Connected', '接通'],
  any: {
    outcome: ['Any outcome', '全部结果'],
    reason: ['Any reason', '全部原因'],
    disposition: ['Any disposition', '全部业务结果'],
  },
  day: ['Day, by the clock of the service', '日期（系统时区）'],
  empty: [
    'No calls yet. Each call is listed here once it has ended.',
    '还没有呼叫。每次呼叫结束后会列在这里。',
  ],
  none: ['No call matches the filter.', '没有符合条件的呼叫。'],
  noneSoFar: [
    'None of the calls that were looked at matches. Older calls were not looked at yet.',
    '已查找的呼叫中没有符合条件的，更早的呼叫尚未查找。',
  ],
  older: ['Look at older calls', '查找更早的呼叫'],
  open: (phone: string, time: string) => [`Call to ${phone}, ${time}`, `${time} 呼叫 ${phone}`],
  erased: ['erased', '已删除'],
  other: ['Other dispositions', '其他业务结果'],
  noDispositions: ['No dispositions reported yet.', '还没有上报业务结果。'],
  exportCalls: ['Calls, one row for each', '呼叫记录（每次呼叫一行）'],
  one: ['Call', '呼叫'],
  contact: ['Contact', '联系人'],
  contactGone: ['The contact was deleted.', '此联系人已删除。'],
  person: ['All about this number', '查看此号码的全部记录'],
  others: ['Other calls in this task', '此任务中的其他呼叫'],
  noOthers: ['No other calls.', '没有其他呼叫。'],
  data: ['Data', '采集数据'],
  listen: ['Open the recording', '打开录音'],
  read: ['Open the transcript', '打开文字记录'],
} satisfies Phrases;
