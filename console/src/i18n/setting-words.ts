import { callsOfLimitAtMost, restAtMost } from '../../../shared/platform/rules/call-limits.ts';
import { nameAtMost, text } from '../../../shared/platform/rules/names.ts';
import { taskSettings } from '../../../shared/tasks/rules/task-settings.ts';
import { type Phrase, whole } from './phrases.ts';

const numberFrom = ({ minimum, maximum }: { minimum: number; maximum: number }): Phrase => [
  `Enter a whole number from ${whole(minimum)} to ${whole(maximum)}.`,
  `请填写 ${whole(minimum)} 到 ${whole(maximum)} 之间的整数。`,
];

const { excludedDates, breaks, excludedDataSourceIds, callerNumbers, contactFilter } = taskSettings;

/** `fault`: what is wrong with it, and what to do. */
type Words = { label: Phrase; fault: Phrase; hint?: Phrase };

/** The words of each setting of a task. */
export const settingWords = {
  taskName: {
    label: ['Task name', '任务名称'],
    fault: [`Enter 1 to ${whole(nameAtMost)} characters.`, `须为 1 到 ${whole(nameAtMost)} 个字符。`],
  },
  taskDesc: {
    label: ['Description', '说明'],
    fault: [`Enter at most ${whole(text.maxLength)} characters.`, `最多 ${whole(text.maxLength)} 个字符。`],
  },
  dailyStartTime: {
    label: ['From', '开始'],
    fault: ['Enter a time before the end, 00:00 to 24:00.', '须早于结束时间，00:00 到 24:00。'],
  },
  dailyEndTime: {
    label: ['To', '结束'],
    fault: ['Enter a time after the start, 00:00 to 24:00.', '须晚于开始时间，00:00 到 24:00。'],
  },
  timeZone: { label: ['Time zone', '时区'], fault: ['This time zone is not known.', '未知的时区。'] },
  weekdays: { label: ['Weekdays', '星期'], fault: ['Select at least one weekday.', '请至少选择一天。'] },
  excludedDates: {
    label: ['Days off', '不呼叫日期'],
    fault: [`Select at most ${excludedDates.maxItems} days.`, `最多 ${excludedDates.maxItems} 天。`],
  },
  breaks: {
    label: ['Breaks', '暂停时段'],
    fault: [
      `Enter at most ${breaks.maxItems} breaks, within the calling hours and without overlap.`,
      `最多 ${breaks.maxItems} 个暂停时段，须在呼叫时段内且互不重叠。`,
    ],
  },
  excludedDataSourceIds: {
    label: ['Excluded lists', '排除名单'],
    fault: [
      `Select at most ${excludedDataSourceIds.maxItems} lists.`,
      `最多 ${excludedDataSourceIds.maxItems} 个名单。`,
    ],
    hint: [
      'Numbers on these lists are not called. The do-not-call list always applies.',
      '这些名单中的号码不会被呼叫。免打扰名单始终有效。',
    ],
  },
  maxDialCount: {
    label: ['Max. attempts per contact', '每人最多呼叫次数'],
    fault: numberFrom(taskSettings.maxDialCount),
  },
  callInterval: {
    label: ['Min. interval (seconds)', '最短间隔（秒）'],
    fault: numberFrom(taskSettings.callInterval),
  },
  priority: {
    label: ['Priority', '优先级'],
    fault: numberFrom(taskSettings.priority),
    hint: ['The smaller number goes first', '数字越小越优先'],
  },
  retryRules: {
    label: ['Retries by reason', '按原因重呼'],
    fault: [
      'Select a reason, a wait of at most 7 days and 1 to 10 calls in each rule.',
      '每条规则须选择原因，间隔最多 7 天，次数为 1 到 10。',
    ],
    hint: [
      'The first rule that lists the reason of the call applies. Without a rule, the attempts and the interval of the task apply.',
      '按第一条包含该原因的规则重呼，没有规则时按任务的呼叫次数和间隔。',
    ],
  },
  callLimits: {
    label: ['Calls to a number', '频次上限'],
    fault: [
      `Enter 1 to ${whole(callsOfLimitAtMost)} calls in at most 30 days, and each time span once.`,
      `次数为 1 到 ${whole(callsOfLimitAtMost)}，时间最长 30 天，且不能重复。`,
    ],
    hint: [
      'All calls to the number count, whichever task made them. The limits of the service hold too.',
      '所有任务对该号码的呼叫都计入。系统的上限同样有效。',
    ],
  },
  restAfterSuccess: {
    label: ['Rest after a conversation (hours)', '通话后静默期（小时）'],
    fault: numberFrom({ minimum: 0, maximum: restAtMost }),
    hint: ['The number is not called for that long.', '在此期间不再呼叫该号码。'],
  },
  retryOrder: {
    label: ['Contacts that are due again', '到时间重呼的联系人'],
    fault: ['Select one of the two.', '请选择其中一项。'],
  },
  keepOpen: {
    label: ['When all contacts are done', '全部联系人呼叫完后'],
    fault: ['Select one of the two.', '请选择其中一项。'],
  },
  dispositions: {
    label: ['Dispositions', '业务结果'],
    fault: [
      `Give each disposition a code of its own, and a rest of 1 to ${whole(restAtMost)} hours or none.`,
      `每个业务结果须有不同的代码，静默期为 1 到 ${whole(restAtMost)} 小时或留空。`,
    ],
    hint: [
      'The business results that the dialer may report, and what happens after each. If none is listed, the dialer may report any code.',
      '拨号器可以上报的业务结果，以及各自的处理方式。不填写时可上报任意代码。',
    ],
  },
  contactFilter: {
    label: ['Only contacts that match', '仅呼叫符合条件的联系人'],
    fault: [
      `Give each condition a field and a value, at most ${contactFilter.items.properties.value.maxItems} values.`,
      `每个条件须填写字段和值，最多 ${contactFilter.items.properties.value.maxItems} 个值。`,
    ],
    hint: [
      'Contacts must meet all conditions. Without a condition the whole list is called.',
      '联系人须符合全部条件。没有条件时呼叫整个名单。',
    ],
  },
  callSettings: {
    label: ['Settings for the dialer', '拨号器参数'],
    fault: [
      'Give each setting a name of its own. All together have at most 2 KB.',
      '每个参数须有不同的名称，总共最多 2 KB。',
    ],
    hint: [
      'For example which flow, script or language to use. The service passes them on as they are.',
      '例如使用哪个流程、话术或语言，系统会原样传给拨号器。',
    ],
  },
  callerNumbers: {
    label: ['Caller numbers', '外显号码'],
    fault: [
      `Enter at most ${callerNumbers.maxItems} valid phone numbers.`,
      `请填写有效的电话号码，最多 ${callerNumbers.maxItems} 个。`,
    ],
    hint: [
      'Separate several with commas. A contact is always called from the same number.',
      '多个号码用逗号分隔。同一联系人始终使用同一号码呼叫。',
    ],
  },
  callFrom: {
    label: ['Not before', '最早开始时间'],
    fault: ['Enter a date and time.', '请填写日期和时间。'],
  },
  callUntil: {
    label: ['Ends at', '截止时间'],
    fault: ['The end must be after the beginning.', '截止时间必须晚于开始时间。'],
  },
  maxConcurrentCalls: {
    label: ['Max. calls at the same time', '最大并发数'],
    fault: numberFrom(taskSettings.maxConcurrentCalls),
  },
  callsPerMinute: {
    label: ['Max. calls a minute', '每分钟最多呼叫数'],
    fault: numberFrom(taskSettings.callsPerMinute),
  },
  pauseWhen: {
    label: ['Pause when calls fail', '失败过多时自动暂停'],
    fault: [
      'Enter 1 to 100 percent and 10 to 1,000 calls, or leave both empty.',
      '比例为 1 到 100，次数为 10 到 1,000；或两项都留空。',
    ],
    hint: ['Leave both empty for a task that does not pause itself.', '两项都留空则不自动暂停。'],
  },
} satisfies Record<keyof typeof taskSettings | 'taskName', Words>;
