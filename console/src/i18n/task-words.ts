import { counted, named, type Phrase, type Phrases, quoted, whole } from './phrases.ts';

type BrakeFigures = { failed: number; calls: number; failedPercent: number };
type EndFigures = { callUntil: string; timeZone: string };

const ended = (words: string, stop: string): string => (/[.。!！?？…]$/.test(words) ? words : words + stop);

/** What a contact waits for: its name, and how it is said after a number and before a time. */
const wait = (label: Phrase, some: (count: number) => Phrase) => ({ label, some });

export const taskWords = {
  status: {
    0: ['Draft', '草稿'],
    1: ['Running', '进行中'],
    2: ['Paused', '已暂停'],
    3: ['Stopped', '已终止'],
    4: ['Completed', '已完成'],
    5: ['Failed', '已失败'],
    6: ['Closed', '已归档'],
  },
  why: {
    NOBODY_MATCHES: (count: number) => [
      `None of the ${counted(count, 'contact')} matches the filter.`,
      `${whole(count)} 个联系人中没有符合筛选条件的`,
    ],
    NO_CONTACTS: ['No one left to call in the contact list', '客户名单中没有可呼叫的联系人'],
    KEPT_OPEN: ['Stays open for new contacts', '持续呼叫，等待新联系人'],
    EMPTY: ['No contacts in the contact list yet', '客户名单中还没有联系人'],
    NOT_STARTED: (time: string, zone: string) => [
      `Starts ${time} (${zone})`,
      `未到开始日期，${time} 开始（${zone}）`,
    ],
    OUTSIDE_HOURS: (time: string | undefined, zone: string) => [
      `Outside its calling hours${time === undefined ? '' : `: opens ${time}`} (${zone})`,
      `不在呼叫时段内${time === undefined ? '' : `，${time} 开始`}（${zone}）`,
    ],
    /** In a list, beside the state. */
    OPENS: (time: string) => [`Opens ${time}`, `${time} 开始`],
    /** By reason, the first that ends first. */
    WAITING: (waits: readonly string[]) => [waits.join(', '), waits.join('、')],
    WAIT: (count: number, reason: string, time: string | undefined) => [
      `${whole(count)} ${reason}${time === undefined ? '' : ` ${time}`}`,
      `${whole(count)} 人${reason}${time === undefined ? '' : `（${time} 起）`}`,
    ],
    ALL_IN_CALL: ['All remaining contacts are in a call', '剩余联系人都在通话中'],
    NO_DIALER: ['No dialer is connected', '拨号器未连接'],
    CHECK_DIALER: [
      'No dialer is connected. Check that it is running.',
      '拨号器未连接，请检查外呼系统是否在运行',
    ],
    BEHIND_OTHERS: (task: string, priority: number, more: number) => [
      `Behind ${named(task)} (priority ${priority})${more > 0 ? ` and ${whole(more)} more` : ''}`,
      `排在${quoted(task)}（优先级 ${priority}）${more > 0 ? `等 ${whole(more + 1)} 个任务` : ''}之后`,
    ],
    AT_LIMIT: {
      calls: (limit: number) => [
        `At its limit of ${counted(limit, 'call')}`,
        `已达并发上限 ${whole(limit)} 路`,
      ],
      perMinute: (limit: number) => [
        `At its limit of ${counted(limit, 'call')} a minute`,
        `已达每分钟 ${whole(limit)} 次的呼叫上限`,
      ],
      service: ['All lines of the service are in use', '系统并发线路已占满'],
    },
  },
  cause: {
    TOO_MANY_FAILED: ({ failed, calls, failedPercent }: BrakeFigures) => [
      `Paused itself: ${whole(failed)} of the last ${counted(calls, 'call')} failed (limit: ${failedPercent}%)`,
      `自动暂停：最近 ${whole(calls)} 次呼叫中 ${whole(failed)} 次失败（上限 ${failedPercent}%）`,
    ],
    CALL_UNTIL_PASSED: ({ callUntil, timeZone }: EndFigures) => [
      `Reached its end: ${callUntil} (${timeZone})`,
      `已到截止时间：${callUntil}（${timeZone}）`,
    ],
  },
  tasks: {
    title: ['Tasks', '任务'],
    new: ['New task', '新建任务'],
    state: ['State', '状态'],
    all: ['All', '全部'],
    done: ['Done', '进度'],
    groups: {
      running: ['Running', '进行中'],
      paused: ['Paused', '已暂停'],
      drafts: ['Drafts', '草稿'],
      ended: ['Ended', '已结束'],
    },
    usualHours: (hours: string) => [`Usual hours: ${hours}`, `通常呼叫时段：${hours}`],
    about: (figure: string) => [`about ${figure}`, `约 ${figure}`],
    ofCalls: (some: number, all: number) => [
      `${whole(some)} of ${whole(all)}`,
      `${whole(all)} 次中 ${whole(some)} 次`,
    ],
    total: (count: number) => [counted(count, 'task'), `共 ${whole(count)} 个任务`],
    cut: (count: number) => [
      `The newest ${counted(count, 'task')} in this order`,
      `最新的 ${whole(count)} 个任务按此排序`,
    ],
    stage: ['What they do now', '当前情况'],
    stages: { calling: ['Calling', '正在呼叫'], waiting: ['Waiting', '等待中'], stuck: ['Stuck', '受阻'] },
    sort: ['Order', '排序'],
    newest: ['Newest first', '最新创建'],
    sorts: {
      name: ['By name', '按名称'],
      start: ['By start, latest first', '按开始时间'],
      progress: ['By progress', '按进度'],
      connectRate: ['By connect rate', '按接通率'],
    },
    paused: (count: number) => [`${counted(count, 'task')} paused`, `已暂停 ${whole(count)} 个任务`],
    resumed: (count: number) => [`${counted(count, 'task')} resumed`, `已恢复 ${whole(count)} 个任务`],
    notChanged: (names: readonly string[]) => [
      `Not changed, because of their state: ${names.map(named).join(', ')}`,
      `以下任务的状态不允许此操作，未作更改：${names.map(quoted).join('、')}`,
    ],
    deleteTitle: (count: number) => [`Delete ${counted(count, 'task')}?`, `删除 ${whole(count)} 个任务？`],
    deletable: [
      'Only drafts and closed tasks can be deleted. Stop and close the others first.',
      '只有草稿和已归档的任务可以删除，其他任务请先终止并归档。',
    ],
    deleted: (count: number) => [`${counted(count, 'task')} deleted`, `已删除 ${whole(count)} 个任务`],
    notDeleted: (names: readonly string[], why: string) => [
      `Not deleted: ${names.map(named).join(', ')}. ${why}`,
      `未删除：${names.map(quoted).join('、')}。${why}`,
    ],
    emptyTitle: ['No tasks yet', '还没有任务'],
    empty: ['Import a contact file, or try it with made-up contacts.', '导入联系人文件，或用示例数据试用。'],
    emptyOnAws: ['Import a contact file, then call the people in it.', '导入联系人文件，然后开始呼叫。'],
    noMatch: ['No task matches the filter.', '没有符合条件的任务。'],
    allDay: (days: string) => [`${days}, all day`, `${days}全天`],
    dayRange: (first: string, last: string) => [`${first}–${last}`, `${first}至${last}`],
    everyDay: ['every day', '每天'],
  },
  /** Who can be called now, and who waits for what. */
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
  sample: {
    start: ['Try it with made-up contacts', '用示例数据试用'],
    running: [
      'The simulator is calling made-up contacts. No real calls are made.',
      '模拟器正在呼叫示例联系人，不会真正拨打电话。',
    ],
    stop: ['Stop the simulator', '停止模拟器'],
  },
  today: {
    title: ['Today', '今日'],
    calls: ['Calls today', '今日呼叫'],
    callsOfDay: ['Calls', '呼叫'],
    chart: ['Calls by hour', '按小时统计的呼叫'],
    dayBefore: ['The day before', '前一天'],
    clock: (zone: string) => [`By the clock of the service: ${zone}`, `按系统时区：${zone}`],
    noCalls: ['No calls today.', '今天还没有呼叫。'],
    noCallsThen: ['No calls on this day.', '这一天没有呼叫。'],
    called: (count: number) => [
      `By task: ${counted(count, 'task')} called`,
      `按任务：${whole(count)} 个任务有呼叫`,
    ],
    allTasks: ['All tasks', '全部任务'],
    deleted: ['Deleted', '已删除'],
    day: ['Day', '日期'],
    later: ['The day after', '后一天'],
    running: (count: number) => [`Running ${whole(count)}`, `进行中 ${whole(count)}`],
    inStage: (count: number, stage: 'calling' | 'waiting' | 'stuck') => [
      `${whole(count)} ${stage}`,
      `${whole(count)} 个${{ calling: '正在呼叫', waiting: '等待中', stuck: '受阻' }[stage]}`,
    ],
    lines: (count: number) => [`${count === 1 ? 'line' : 'lines'} in use`, '路通话中'],
    linesOf: (all: number) => [`of ${counted(all, 'line')} in use`, `/ ${whole(all)} 路使用中`],
    aMinute: ['calls a minute', '次 / 分钟'],
    lastHour: (pace: string) => [`the last hour: ${pace}`, `上一小时：${pace}`],
    recentRate: ['connect rate, 10 minutes', '接通率（10 分钟）'],
    onLastHour: ['on the last hour', '相比上一小时'],
    onDayBefore: ['on yesterday at this hour', '相比昨日同一小时'],
    callbacks: (count: number, moved: number) => [
      `${counted(count, 'callback')} agreed${moved > 0 ? `, ${whole(moved)} of them later than agreed` : ''}`,
      `预约回呼 ${whole(count)} 个${moved > 0 ? `，其中 ${whole(moved)} 个晚于约定时间` : ''}`,
    ],
    noCallbacks: ['None is agreed for today.', '今天没有预约回呼。'],
    movedTo: (time: string, reason: string) => [
      `Can be called ${time}: ${reason}`,
      `${time} 才可呼叫：${reason}`,
    ],
    tasksWait: (count: number) => [`${counted(count, 'task')} wait`, `${whole(count)} 个任务等待呼叫`],
    attention: (count: number) => [
      `${whole(count)} ${count === 1 ? 'needs' : 'need'} attention`,
      `${whole(count)} 项需要处理`,
    ],
    since: (time: string) => [`since ${time}`, `自 ${time} 起`],
    /** Reasons come with a full stop and without. */
    line: (words: string) => [ended(words, '.'), ended(words, '。')],
    webhookFailing: ['Webhook: deliveries fail.', '事件推送：推送失败。'],
    webhookOff: ['Webhook: the service switched it off.', '事件推送：系统已停用。'],
    lastDialer: (time: string) => [`last dialer request ${time}`, `拨号器最近一次请求 ${time}`],
    inCalls: (count: number) => [`${whole(count)} in a call`, `${whole(count)} 个通话中`],
  },
  task: {
    publish: ['Publish', '发布'],
    pause: ['Pause', '暂停'],
    resume: ['Resume', '恢复'],
    stop: ['Stop', '终止'],
    close: ['Close', '归档'],
    recall: ['Call unreached contacts again', '再次呼叫未接通的联系人'],
    recallShort: ['Call again', '再次呼叫'],
    copy: ['Copy as a new draft', '复制为新草稿'],
    compare: ['Compare with others', '与其他任务对比'],
    exportTitle: ['Export', '导出'],
    exportWhich: ['What to export', '导出内容'],
    exportFormat: ['Format', '格式'],
    exportUnreached: ['Failed or no answer', '失败或未接听'],
    connectRate: ['Connect rate', '接通率'],
    one: ['Task', '任务'],
    overview: ['Overview', '概览'],
    perMinute: ['Calls a minute', '每分钟呼叫'],
    average: ['Average talk time', '平均通话时长'],
    calls: ['Calls', '呼叫'],
    reachedShare: ['reached', '触达率'],
    ran: (from: string, to: string) => [`Started ${from}, ended ${to}`, `开始于 ${from}，结束于 ${to}`],
    done: (count: number) => [`${whole(count)} done`, `已完成 ${whole(count)}`],
    ofSelected: (count: string) => [`of ${count} selected`, `总人数 ${count}`],
    notSelected: (count: string) => [`${count} not selected`, `${count} 个不在筛选范围`],
    callsOverTime: ['Calls over time', '呼叫走势'],
    byBucket: { hour: ['Hours', '按小时'], minute: ['Minutes', '按分钟'] },
    bucket: { hour: ['Hour', '小时'], minute: ['Minute', '分钟'] },
    closedHours: ['Outside calling hours', '非呼叫时段'],
    noCalls: ['No calls yet.', '还没有呼叫。'],
    noRecent: ['No calls in the last three hours.', '最近三小时没有呼叫。'],
    reasons: ['Why calls did not connect', '未接通原因'],
    noReasons: ['No reasons reported yet.', '还没有原因记录。'],
    history: ['History', '操作记录'],
    noHistory: ['Nothing has been done yet.', '还没有操作。'],
    settings: ['Settings', '设置'],
    dataSource: ['Contact list', '客户名单'],
    hours: ['Calling hours', '呼叫时段'],
    attempts: ['Attempts', '呼叫次数'],
    attemptsWords: (most: number) =>
      most === 1
        ? ['once each', '每人 1 次']
        : [`at most ${whole(most)} times each`, `每人最多 ${whole(most)} 次`],
    apart: (attempts: string, time: string) => [
      `${attempts}, at least ${time} apart`,
      `${attempts}，间隔至少 ${time}`,
    ],
    allContacts: ['All contacts', '全部联系人'],
    operation: {
      add: ['Created', '已创建'],
      update: ['Changed', '已修改'],
      adjust: ['Adjusted', '已调整'],
      publish: ['Published', '已发布'],
      pause: ['Paused', '已暂停'],
      resume: ['Resumed', '已恢复'],
      stop: ['Stopped', '已终止'],
      recall: ['Called again', '已再次呼叫'],
      complete: ['Completed', '已完成'],
      fail: ['Failed', '已失败'],
      close: ['Closed', '已归档'],
    },
    by: (who: string) => [`by ${who}`, `操作者：${who}`],
    dialer: ['the dialer', '拨号器'],
    service: ['the service', '系统'],
    stopTitle: (name: string) => [`Stop ${quoted(name)}?`, `终止${quoted(name)}？`],
    stopWords: [
      'No new calls start. Calls in progress end normally. A stopped task cannot be resumed.',
      '不再开始新的呼叫，进行中的通话会正常结束。任务终止后无法恢复。',
    ],
    closeTitle: (name: string) => [`Close ${quoted(name)}?`, `归档${quoted(name)}？`],
    closeWords: [
      'A closed task can be viewed and exported. It cannot be changed any more.',
      '归档后仍可查看和导出，但不能再修改。',
    ],
    deleteWords: [
      'Figures, outcomes and history are deleted for good, and the name becomes free. The contact list stays. Export the outcomes first if you need them.',
      '统计数字、呼叫结果和操作记录将永久删除，名称可以再次使用，客户名单保留。如需保留结果，请先导出。',
    ],
    recallTitle: (name: string) => [
      `Call contacts of ${quoted(name)} again?`,
      `再次呼叫${quoted(name)}的联系人？`,
    ],
    recallWords: (count: number) => [
      `${counted(count, 'contact that was', 'contacts that were')} not reached will be called again. Their attempts start from zero.`,
      `将再次呼叫 ${whole(count)} 个未接通的联系人，呼叫次数重新计算。`,
    ],
    recallChosenWords: (count: number) => [
      `${counted(count, 'contact')} will be called again. Their attempts start from zero.`,
      `将再次呼叫 ${whole(count)} 个联系人，呼叫次数重新计算。`,
    ],
    recallReached: (count: number) => [
      `${counted(count, 'of them has', 'of them have')} already been reached and will be called again too.`,
      `其中 ${whole(count)} 个此前已接通，也会再次呼叫。`,
    ],
    chosenGone: [
      'A selected contact has been deleted. Close this and select again.',
      '所选联系人中有的已被删除，请关闭后重新选择。',
    ],
    recallPriority: ['Priority of these calls', '这些呼叫的优先级'],
    recalled: (count: number) => [
      `${counted(count, 'contact')} queued again`,
      `${whole(count)} 个联系人已重新排队`,
    ],
  },
  compare: {
    title: ['Compare', '对比'],
    words: ['Up to five tasks side by side.', '最多并排对比五个任务。'],
    add: ['Add a task', '添加任务'],
    pick: ['Type to search tasks', '输入名称搜索任务'],
    remove: (name: string) => [`Remove ${named(name)}`, `移除${quoted(name)}`],
    empty: ['Select tasks to compare.', '请选择要对比的任务。'],
    print: ['Print', '打印'],
    best: ['best', '最佳'],
    rows: {
      coverage: ['Coverage', '触达率'],
      open: ['Remaining', '剩余'],
      callsPerReached: ['Calls for each person reached', '每接通一人所需呼叫'],
      start: ['Started', '开始'],
      end: ['Ended', '结束'],
    },
  },
} satisfies Phrases;
