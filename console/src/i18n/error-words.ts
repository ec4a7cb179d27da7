import { fieldNameAtMost } from '../../../shared/domain/contacts/contact.ts';
import { text } from '../../../shared/domain/forms.ts';
import { nameAtMost } from '../../../shared/domain/names.ts';
import { taskSettings } from '../../../shared/domain/tasks/task-settings.ts';
import { type Phrase, type Phrases, whole } from './phrases.ts';

const numberFrom = ({ minimum, maximum }: { minimum: number; maximum: number }): Phrase => [
  `Enter a whole number from ${whole(minimum)} to ${whole(maximum)}.`,
  `请填写 ${whole(minimum)} 到 ${whole(maximum)} 之间的整数。`,
];

export const errorWords = {
  errors: {
    fileChanged: [
      'The file was changed or moved after it was chosen. Choose it again.',
      '文件在选择之后被修改或移动，请重新选择。',
    ],
    network: [
      'The service cannot be reached. Nothing was lost. Try again.',
      '无法连接服务，内容没有丢失，请重试。',
    ],
    400: ['The service did not accept this.', '服务未接受此内容。'],
    401: ['Your session has ended. Sign in again.', '登录已过期，请重新登录。'],
    403: ['Your account is not allowed to do this.', '您的账号无权执行此操作。'],
    404: ['This no longer exists.', '该内容已不存在。'],
    405: [
      'This is not possible in the current state. The page now shows it.',
      '当前状态不允许此操作，页面已更新。',
    ],
    409: ['Name already in use.', '名称已被使用。'],
    413: ['The file is too large: at most 10,000 rows and 10 MB.', '文件过大：最多 10,000 行、10 MB。'],
    422: ['This was sent before with other content. Try again.', '相同请求已用其他内容发送过，请重试。'],
    429: ['Too many requests. Try again in a moment.', '请求过多，请稍后再试。'],
    500: ['The service failed.', '服务内部出错。'],
    requestId: (id: string) => [`Request ${id}`, `请求编号 ${id}`],
    taken: {
      taskName: ['Name already in use by another task.', '已有同名任务。'],
      dataSourceName: ['Name already in use by another contact list.', '已有同名客户名单。'],
      phoneNumber: ['This number is already in the list.', '名单中已有此号码。'],
    },
    fields: {
      name: [
        `Enter a name of 1 to ${whole(nameAtMost)} characters.`,
        `名称须为 1 到 ${whole(nameAtMost)} 个字符。`,
      ],
      text: [`Enter at most ${whole(text.maxLength)} characters.`, `最多 ${whole(text.maxLength)} 个字符。`],
      dataSourceId: ['This contact list does not exist.', '此客户名单不存在。'],
      priority: numberFrom(taskSettings.priority),
      maxDialCount: numberFrom(taskSettings.maxDialCount),
      callInterval: numberFrom(taskSettings.callInterval),
      dailyStartTime: [
        'Enter a time before the end, from 00:00 to 24:00.',
        '请填写早于结束的时间，00:00 到 24:00。',
      ],
      dailyEndTime: [
        'Enter a time after the start, from 00:00 to 24:00.',
        '请填写晚于开始的时间，00:00 到 24:00。',
      ],
      timeZone: ['This time zone is not known.', '未知的时区。'],
      weekdays: ['Select days from Monday to Sunday.', '请从星期一到星期日中选择。'],
      excludedDates: [
        `Select at most ${taskSettings.excludedDates.maxItems} days.`,
        `最多 ${taskSettings.excludedDates.maxItems} 天。`,
      ],
      breaks: [
        `Enter at most ${taskSettings.breaks.maxItems} breaks, within the calling hours and without overlap.`,
        `最多 ${taskSettings.breaks.maxItems} 个暂停时段，须在呼叫时段内且互不重叠。`,
      ],
      excludedDataSourceIds: [
        `Select at most ${taskSettings.excludedDataSourceIds.maxItems} lists.`,
        `最多 ${taskSettings.excludedDataSourceIds.maxItems} 个名单。`,
      ],
      retryRules: [
        'Select a reason, a wait of at most 7 days and 1 to 10 calls in each rule.',
        '每条规则须选择原因，间隔最多 7 天，次数为 1 到 10。',
      ],
      callSettings: [
        'Give each setting a name of its own. All together have at most 2 KB.',
        '每个参数须有不同的名称，总共最多 2 KB。',
      ],
      callerNumbers: [
        `Enter at most ${taskSettings.callerNumbers.maxItems} valid phone numbers.`,
        `请填写有效的电话号码，最多 ${taskSettings.callerNumbers.maxItems} 个。`,
      ],
      phoneNumber: [
        'Not a valid phone number: 3 to 15 digits, with + in front if it is international.',
        '号码格式不正确：3 到 15 位数字，国际号码以 + 开头。',
      ],
      fields: [
        `A field name has at most ${fieldNameAtMost} characters.`,
        `字段名最多 ${fieldNameAtMost} 个字符。`,
      ],
      file: ['The file could not be read.', '无法读取文件。'],
      sheet: ['The file has no such sheet.', '文件中没有此工作表。'],
      headerRow: ['This row has no titles.', '此行没有标题。'],
      mapping: ['The columns do not match the file.', '列与文件不符。'],
    },
  },
} satisfies Phrases;
