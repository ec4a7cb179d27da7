import { type Language, languages } from '../../../shared/insight/rules/words.ts';
import { useStore } from '../base/store.ts';
import { language } from './i18n.ts';
import { counted, type Phrases, quoted, type Words, whole, wordsOf } from './phrases.ts';

const phrases = {
  add: ['Add webhook', '添加事件推送'],
  edit: ['Edit webhook', '编辑事件推送'],
  one: ['Webhook', '事件推送'],
  words: [
    'The service sends signed events to these addresses, so that other systems learn at once what happened.',
    '系统把带签名的事件发送到这些地址，其他系统可以及时获知呼叫和任务的变化。',
  ],
  empty: [
    'No webhooks yet. Add the address of a system that is to be told when calls end or tasks change.',
    '还没有事件推送。添加一个地址，呼叫结束或任务变化时系统会通知它。',
  ],
  url: ['Address', '推送地址'],
  urlHint: ['https, reachable from the internet', 'https 地址，须可从公网访问'],
  urlFault: [
    'Use a public https address without a user name, of at most 1,000 characters.',
    '请填写公网 https 地址，不含用户名，最多 1,000 个字符。',
  ],
  types: ['Events', '事件类型'],
  noTypes: ['Select at least one kind of event.', '请至少选择一种事件。'],
  allTypes: ['All events', '全部事件'],
  manyTypes: (count: number) => [
    counted(count, 'kind of event', 'kinds of events'),
    `${whole(count)} 种事件`,
  ],
  tasks: ['Only these tasks', '仅限以下任务'],
  tasksHint: ['If none is selected, the events of all tasks are sent.', '不选择任务时，推送全部任务的事件。'],
  expandCall: [
    'With the record of the call: phone number, summary and data',
    '附带呼叫记录：电话号码、小结和采集数据',
  ],
  type: {
    'task.state_changed': ['Task changed its state', '任务状态变化'],
    'task.deleted': ['Task deleted', '任务已删除'],
    'call.ended': ['Call ended', '呼叫结束'],
    'call.annotated': ['Call annotated', '呼叫信息补充'],
    'contact.settled': ['Contact needs no further call', '联系人呼叫完成'],
    'contact.erased': ['Person erased', '个人信息已删除'],
    'import.ended': ['Import ended', '导入结束'],
    'data_source.deleted': ['Contact list deleted', '客户名单已删除'],
    'webhook.disabled': ['Webhook switched off', '事件推送已停用'],
    'webhook.test': ['Test', '测试'],
  },
  state: {
    title: ['State', '状态'],
    ok: ['On', '已启用'],
    failing: ['Failing', '推送失败'],
    disabled: ['Off', '已停用'],
  },
  why: {
    gone: [
      'Switched off by the service: the receiver answered that the address is gone (410).',
      '系统已停用：接收方答复该地址已失效（410）。',
    ],
    failing: [
      'Switched off by the service: every delivery failed for five days.',
      '系统已停用：连续五天全部推送失败。',
    ],
  },
  lastDelivery: ['Last success', '最近成功推送'],
  waiting: ['Waiting', '待推送'],
  failed: ['Given up', '已放弃'],
  failedHint: [
    'Events that did not arrive in ten attempts. “Send again” sends them once more.',
    '尝试十次仍未送达的事件，可用“重新推送”再次发送。',
  ],
  deliveries: ['Deliveries', '推送记录'],
  noDeliveries: ['Nothing was sent yet.', '还没有推送记录。'],
  noFailed: ['No failed deliveries.', '没有失败的推送。'],
  onlyFailed: ['Failed', '失败'],
  older: ['Older deliveries', '更早的推送'],
  result: ['Answer', '结果'],
  event: ['Event', '事件'],
  arrived: (status: number) => [`Arrived (${status})`, `已送达（${status}）`],
  refused: (status: number) => [`Failed (${status})`, `失败（${status}）`],
  failure: {
    timeout: ['No answer within 15 seconds', '15 秒内无答复'],
    connection: ['No connection', '无法连接'],
    address: ['The name leads to a private address', '域名指向内网地址'],
  },
  milliseconds: (count: number) => [`${whole(count)} ms`, `${whole(count)} 毫秒`],
  attempt: (number: number) => [`attempt ${whole(number)}`, `第 ${whole(number)} 次尝试`],
  next: (time: string) => [`next at ${time}`, `下次 ${time}`],
  test: ['Send a test', '发送测试'],
  tested: ['The test is on its way', '测试已发出'],
  again: ['Send again', '重新推送'],
  sentAgain: ['The events are on their way', '事件已重新推送'],
  againTitle: ['Send events again', '重新推送事件'],
  againWords: [
    'Every event of this time is sent again, also the events that have arrived. The receiver drops repeats by their ids.',
    '此时间段内的事件会全部重新推送，包括已送达的，接收方按事件编号去重。',
  ],
  from: ['From', '开始时间'],
  to: ['To', '结束时间'],
  turnOn: ['Switch on', '启用'],
  turnedOn: ['Switched on. It goes on where it stopped.', '已启用，将从停用处继续推送。'],
  turnOff: ['Switch off', '停用'],
  turnedOff: ['Switched off', '已停用'],
  newSecret: ['New secret', '更换密钥'],
  newSecretWords: [
    'Both secrets sign for 24 hours. Give the receiver the new one in that time.',
    '24 小时内新旧密钥同时有效，请在此期间更新接收方的密钥。',
  ],
  secret: ['Secret', '密钥'],
  secretTitle: ['Copy the secret now', '请立即复制密钥'],
  secretWords: [
    'It is not shown again. The receiver verifies with it that an event comes from this service:',
    '密钥不会再次显示。接收方用它验证事件来自本系统：',
  ],
  noSecret: ['The secret was replaced meanwhile. Ask for a new one.', '密钥已被更换，请重新生成。'],
  copy: ['Copy', '复制'],
  copied: ['Copied', '已复制'],
  deleteWords: [
    'Nothing is sent to this address any more, also not the events that wait.',
    '不再向此地址推送，待推送的事件也会取消。',
  ],
  deleteTitle: (url: string) => [`Delete the webhook ${quoted(url)}?`, `删除事件推送${quoted(url)}？`],
  deleted: ['Webhook deleted', '已删除事件推送'],
} satisfies Phrases;

/** Not among the words of the first screen: only operators who look at webhooks load them. */
export type WebhookWords = Words<typeof phrases>;
const dictionaries = Object.fromEntries(languages.map((each) => [each, wordsOf(phrases, each)])) as Record<
  Language,
  WebhookWords
>;

export const useWebhookWords = (): WebhookWords => dictionaries[useStore(language)];
