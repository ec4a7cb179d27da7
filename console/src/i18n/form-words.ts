import { capital, counted, type Phrases, quoted, whole } from './phrases.ts';

export const formWords = {
  editTitle: (name: string) => [`Edit ${quoted(name)}`, `编辑${quoted(name)}`],
  who: ['Who else', '更多呼叫对象设置'],
  when: ['When exactly', '更多时间设置'],
  how: ['How often', '重呼规则'],
  results: ['Dispositions', '业务结果'],
  /** What holds where nothing else is chosen. */
  usual: {
    who: ['Everyone in the list, except the do-not-call list', '名单中的所有人，免打扰名单除外'],
    when: (zone: string) => [`${zone}. No breaks, no days off`, `${zone}，无暂停时段和不呼叫日期`],
    how: ['Every retry after the same interval', '每次重呼间隔相同'],
    limits: ['As fast as the dialers ask', '由拨号器决定'],
    told: ['Only the contact', '仅联系人信息'],
    results: ['Whatever the dialer reports', '以拨号器上报为准'],
  },
  otherDays: ['Other days', '其他日期'],
  calendar: ['Open the calendar', '打开日历'],
  timesAtLeast: ['times each, at least', '次，间隔至少'],
  secondsApart: ['seconds apart', '秒'],
  inThisZone: (zone: string) => [`In ${zone}.`, `时区：${zone}`],
  willBeCalled: ['Will be called', '将呼叫'],
  peopleOf: (count: number, source: string) => [
    `${count === 1 ? 'person' : 'people'} of ${quoted(source)}`,
    `人（${quoted(source)}）`,
  ],
  pickSource: ['Type to search contact lists', '输入名称搜索客户名单'],
  newSource: ['Import a contact file first', '先导入联系人文件'],
  fixedSource: [
    'The contact list of a task cannot be changed. Copy the task as a new draft instead.',
    '任务的客户名单不能更改，可复制为新草稿。',
  ],
  noDraft: ['Only a draft can be edited. Copy the task instead.', '只有草稿可以编辑，可复制为新草稿。'],
  conflictTitle: ['The task was changed meanwhile', '此任务已被他人修改'],
  conflictWords: [
    'A colleague and you changed the same settings. Which shall be saved?',
    '您和同事修改了相同的设置，请选择保存哪一个。',
  ],
  mine: ['Yours', '您的'],
  theirs: ['Saved by the colleague', '同事已保存的'],
  keepMine: ['Save mine', '保存我的'],
  takeTheirs: ['Keep theirs', '保留同事的'],
  failedPercent: ['Failed calls (%)', '失败比例（%）'],
  failedCalls: ['Among the last (calls)', '统计最近多少次呼叫'],
  dates: ['Dates (optional)', '起止日期（选填）'],
  datesHint: (zone: string) => [
    `Times are in ${zone}. The task stops at the end time.`,
    `时区为 ${zone}。到截止时间后任务自动终止。`,
  ],
  limits: ['Pace', '呼叫节奏'],
  noLimit: ['No limit', '不限'],
  brakeWords: (percent: number, calls: number) => [
    `when ${percent}% of the last ${whole(calls)} calls failed`,
    `最近 ${whole(calls)} 次呼叫失败率达 ${percent}%`,
  ],
  publishedMeanwhile: [
    'This task has been published meanwhile. Your changes can no longer be saved.',
    '此任务已被发布，您的修改无法再保存。',
  ],
  showTask: ['Show the task', '查看任务'],
  addList: ['Add a list', '添加名单'],
  pickZone: ['City, offset or name', '输入城市、时差或名称'],
  noZone: ['No time zone matches.', '没有匹配的时区。'],
  lastDay: ['Last day', '最后一天'],
  addBreak: ['Add a break', '添加暂停时段'],
  addRule: ['Add a rule', '添加规则'],
  rule: (number: number) => [`Rule ${number}`, `规则 ${number}`],
  proposals: ['Common rules:', '常用规则：'],
  proposal: (reason: string, wait: string) => [`${reason}: ${wait}`, `${reason}：${wait}`],
  callAgainAfter: ['Call again after', '重呼间隔'],
  unit: ['Unit', '单位'],
  units: {
    minutes: ['minutes', '分钟'],
    hours: ['hours', '小时'],
    days: ['days', '天'],
    seconds: ['seconds', '秒'],
  },
  lasting: {
    seconds: (count: number) => [counted(count, 'second'), `${whole(count)} 秒`],
    minutes: (count: number) => [counted(count, 'minute'), `${whole(count)} 分钟`],
    hours: (count: number) => [counted(count, 'hour'), `${whole(count)} 小时`],
    days: (count: number) => [counted(count, 'day'), `${whole(count)} 天`],
  },
  after: (time: string) => [`after ${time}`, `${time}后`],
  tomorrow: ['tomorrow', '次日'],
  atMostCalls: ['at most', '最多'],
  callsWord: ['calls', '次'],
  ruleWords: (reasons: string, wait: string, most: number) => [
    `${reasons}: ${wait}, at most ${counted(most, 'call')}`,
    `${reasons}：${wait}重呼，最多 ${whole(most)} 次`,
  ],
  addLimit: ['Add a limit', '添加上限'],
  limit: (number: number) => [`Limit ${number}`, `上限 ${number}`],
  within: ['in', '次，时间范围'],
  limitWords: (most: number, span: string) => [
    `at most ${counted(most, 'call')} to a number in ${span}`,
    `每个号码 ${span}内最多 ${whole(most)} 次`,
  ],
  restHours: ['Rest (hours)', '静默期（小时）'],
  rest: (time: string) => [`no call for ${time}`, `${time}内不再呼叫`],
  retryOrders: {
    due: ['before contacts that were never called', '先于未呼叫的联系人'],
    last: ['after contacts that were never called', '后于未呼叫的联系人'],
  },
  addCondition: ['Add a condition', '添加条件'],
  condition: {
    field: (number: number) => [`Condition ${number}: field`, `条件 ${number}：字段`],
    is: (number: number) => [`Condition ${number}: comparison`, `条件 ${number}：比较方式`],
    value: (number: number) => [`Condition ${number}: value`, `条件 ${number}：值`],
  },
  comparisons: {
    equal: ['is', '等于'],
    notEqual: ['is not', '不等于'],
    in: ['is one of', '是以下之一'],
    atLeast: ['is at least', '不小于'],
    atMost: ['is at most', '不大于'],
    empty: ['is empty', '为空'],
    notEmpty: ['is not empty', '不为空'],
  },
  severalValues: ['Values, separated by commas', '多个值用逗号分隔'],
  matching: (count: number, total: number, isEstimated: boolean) => [
    `${isEstimated ? 'About ' : ''}${whole(count)} of ${counted(total, 'contact')} match.`,
    `${whole(total)} 个联系人中${isEstimated ? '约' : ''} ${whole(count)} 个符合条件。`,
  ],
  ends: {
    completes: ['the task completes', '任务完成'],
    staysOpen: ['the task stays open and calls contacts as they are added', '持续呼叫（等待新联系人）'],
  },
  staysOpen: ['then stays open for contacts that are added', '之后持续呼叫（等待新联系人）'],
  dispositionCode: ['Code', '代码'],
  dispositionLabel: ['Label', '名称'],
  addDisposition: ['Add a disposition', '添加业务结果'],
  effect: ['Effect', '处理方式'],
  noEffect: ['decided by the outcome', '由呼叫结果决定'],
  effects: {
    final: ['no further call', '不再呼叫'],
    retry: ['call again although reached', '接通后仍重呼'],
    doNotCall: ['do not call again', '加入免打扰名单'],
  },
  withEffects: (name: string, effects: readonly string[]) => [
    `${name} (${effects.join(', ')})`,
    `${name}（${effects.join('，')}）`,
  ],
  addSetting: ['Add a setting', '添加参数'],
  told: ['For the dialer', '传给拨号器的信息'],
  summary: ['Summary', '摘要'],
  saveDraft: ['Save as draft', '保存为草稿'],
  saveChanges: ['Save changes', '保存修改'],
  publishTitle: (name: string) => [`Publish ${quoted(name)}?`, `发布${quoted(name)}？`],
  publishNow: ['Publish now', '立即发布'],
  saved: ['Draft saved', '草稿已保存'],
  restored: ['What you typed earlier was restored.', '已恢复您之前填写的内容。'],
  discard: ['Discard', '放弃'],
  missingName: ['Enter a name for the task.', '请填写任务名称。'],
  missingSource: ['Select a contact list.', '请选择客户名单。'],
  people: (count: number, source: string, isEstimated: boolean) => [
    `Calls ${isEstimated ? 'about ' : ''}${counted(count, 'person', 'people')} of ${quoted(source)}`,
    `呼叫${quoted(source)}中的${isEstimated ? '约' : ''} ${whole(count)} 人`,
  ],
  peopleCounted: (source: string) => [
    `Calls people of ${quoted(source)} (being counted)`,
    `呼叫${quoted(source)}中的联系人（正在统计人数）`,
  ],
  peopleUnknown: ['Select a list to see how many people will be called.', '选择名单后可看到将呼叫多少人。'],
  sentence: (parts: readonly string[]) => [capital(`${parts.join(', ')}.`), `${parts.join('，')}。`],
  until: (moment: string) => [`until ${moment}`, `截至 ${moment}`],
  excludes: (lists: string) => [`Excludes ${lists}.`, `不呼叫${lists}中的号码。`],
  doNotCallList: ['the do-not-call list', '免打扰名单'],
  canBegin: (when: string) => [`Can begin ${when}.`, `最早${when} 开始呼叫。`],
  beginsNow: ['Can begin at once.', '发布后立即开始呼叫。'],
  neverOpens: ['These settings leave no time to call.', '按此设置没有可呼叫的时间。'],
  endIsPast: ['This end is in the past.', '截止时间已过。'],
  today: (time: string) => [`today at ${time}`, `今天 ${time}`],
  onDay: (day: string, time: string) => [`on ${day} at ${time}`, `${day} ${time}`],
  inZone: (hours: string, zone: string) => [`${hours} (${zone})`, `${hours}（${zone}）`],
  exceptOn: (days: string) => [`not on ${days}`, `${days}除外`],
  noContacts: [
    'The list has no contacts at the moment. The task will wait for them.',
    '名单中目前没有联系人，任务会等待联系人。',
  ],
} satisfies Phrases;

type AlsoIn = { name: string; state: 'running' | 'paused' | undefined };

const zhStates = { running: '（进行中）', paused: '（已暂停）' };
const sequence = new Intl.ListFormat('en-GB');

/** The state of a single task follows as a clause, of several in brackets. */
const listsOf = (tasks: readonly AlsoIn[]): string =>
  tasks.length === 1
    ? tasks
        .map(({ name, state }) => `list of the task ${quoted(name)}${state ? `, which is ${state}` : ''}`)
        .join()
    : `lists of the tasks ${sequence.format(tasks.map(({ name, state }) => quoted(name) + (state ? ` (${state})` : '')))}`;

export const preflightWords = {
  listed: ['In the list', '名单人数'],
  excluded: (name: string) => [`On ${quoted(name)}`, `在${quoted(name)}中`],
  inList: (count: number) => [`${whole(count)} in the list`, `名单共 ${whole(count)} 人`],
  onDoNotCall: (count: number) => [`${whole(count)} on do-not-call`, `${whole(count)} 人在免打扰名单`],
  onList: (count: number, name: string) => [
    `${whole(count)} on ${quoted(name)}`,
    `${whole(count)} 人在${quoted(name)}`,
  ],
  onLists: (count: number, each: readonly string[]) => [
    `${whole(count)} on excluded lists (${each.join(', ')})`,
    `${whole(count)} 人在排除名单中（${each.join('，')}）`,
  ],
  willBeCalled: (count: number, isEstimated: boolean) => [
    `${isEstimated ? 'about ' : ''}${whole(count)} will be called`,
    `将呼叫${isEstimated ? '约' : ''} ${whole(count)} 人`,
  ],
  notSelected: (count: number, isEstimated: boolean) => [
    `${isEstimated ? 'about ' : ''}${whole(count)} ${count === 1 ? 'does' : 'do'} not match the filter`,
    `${isEstimated ? '约 ' : ''}${whole(count)} 人不在筛选范围`,
  ],
  noneMatch: [
    'No contact of the list would be called: the contacts that match the filter are on an excluded list, or none matches.',
    '名单中没有符合筛选条件且可呼叫的联系人。',
  ],
  noneCounted: [
    'None of the contacts that were counted would be called. A few of the others may be.',
    '已统计的联系人中没有可呼叫的联系人，其余联系人中可能有少数。',
  ],
  alsoIn: (count: number, tasks: readonly AlsoIn[]) => [
    `${whole(count)} of them ${count === 1 ? 'is' : 'are'} also on the ${listsOf(tasks)}`,
    `其中 ${whole(count)} 人也在任务${tasks.map(({ name, state }) => quoted(name) + (state ? zhStates[state] : '')).join('、')}的名单中`,
  ],
  alsoInMore: (tasks: number) => [
    `some also on the lists of ${counted(tasks, 'other task')}`,
    `另有 ${whole(tasks)} 个任务的名单包含其中的号码`,
  ],
  sentence: (parts: readonly string[], also: readonly string[]) => [
    `${[parts.join(', '), also.join(', ')].filter(Boolean).join('; ')}.`,
    `${[parts.join('，'), also.join('，')].filter(Boolean).join('；')}。`,
  ],
  bar: (called: number, blocked: number, isEstimated: boolean) => [
    `${isEstimated ? 'about ' : ''}${whole(called)} will be called, ${whole(blocked)} will not`,
    `呼叫${isEstimated ? '约' : ''} ${whole(called)} 人，不呼叫 ${whole(blocked)} 人`,
  ],
  nobody: [
    'Everyone is on an excluded list, so nobody will be called.',
    '所有人都在排除名单中，不会呼叫任何人。',
  ],
  otherSpelling: (count: number) => [
    `${counted(count, 'number')} will be called although a list has ${count === 1 ? 'it' : 'them'} in another spelling, for example with or without the country code. Check the lists.`,
    `有 ${whole(count)} 个号码以另一种写法（例如带或不带国家代码）出现在名单中，仍会被呼叫，请检查名单。`,
  ],
  atLimit: (count: number) => [
    `${whole(count)} of them ${count === 1 ? 'is' : 'are'} at a limit or at rest now and will be called later.`,
    `其中 ${whole(count)} 人目前已达上限或处于静默期，稍后呼叫。`,
  ],
  unknownFields: (names: string) => [
    `No contact of the list has the field ${names}. Check its spelling in the filter.`,
    `名单中没有联系人有字段“${names}”，请检查筛选条件中的字段名。`,
  ],
  unreadableTimes: (count: number) => [
    `${counted(count, 'contact has', 'contacts have')} a callAfter or callBefore that is no date or time. It is ignored.`,
    `${whole(count)} 个联系人的 callAfter 或 callBefore 不是有效的日期或时间，将被忽略。`,
  ],
  notAllCompared: [
    'Other running tasks have very large lists, which were not all compared.',
    '其他进行中的任务名单过大，未全部比对。',
  ],
  ownZones: [
    'Contacts with a time zone of their own are called by their own clock.',
    '有自己时区的联系人按其当地时间呼叫。',
  ],
  frozen: [
    'Once published, the name, contact list, daily hours, attempts and priority can no longer be changed.',
    '发布后，名称、客户名单、每日呼叫时段、呼叫次数和优先级不能再修改。',
  ],
  download: ['Download the people who will not be called', '下载不呼叫的人员名单'],
  comparing: ['Comparing with the lists…', '正在与名单比对…'],
  counting: ['Counting the contacts that match the filter…', '正在统计符合筛选条件的联系人…'],
  incomplete: [
    'Complete the filter to see how many people will be called.',
    '填完筛选条件后可看到将呼叫多少人。',
  ],
  unknown: [
    'The lists could not be compared now. Numbers on excluded lists are still not called.',
    '暂时无法与排除名单比对，其中的号码仍不会被呼叫。',
  ],
  callPeople: (count: number, isEstimated: boolean) => [
    `Call ${isEstimated ? 'about ' : ''}${counted(count, 'person', 'people')}`,
    `呼叫${isEstimated ? '约' : ''} ${whole(count)} 人`,
  ],
} satisfies Phrases;

export const adjustWords = {
  open: ['Adjust', '调整'],
  title: (name: string) => [`Adjust ${quoted(name)}`, `调整${quoted(name)}`],
  words: [
    'Changes hold from the next call on. Calls in progress are not affected.',
    '修改从下一次呼叫起生效，不影响正在进行的通话。',
  ],
  less: (what: string) => [`${what}: less`, `${what}：减少`],
  more: (what: string) => [`${what}: more`, `${what}：增加`],
  without: (what: string) => [`${what}: no limit`, `${what}：不限`],
  sameLimit: (what: string) => [`${what}: a colleague has set the same limit`, `${what}：同事已设为相同的值`],
  paceHint: ['For all dialers together, from the next call on.', '对所有拨号器合计，从下一次呼叫起生效。'],
} satisfies Phrases;
