/** The task, data source, contact and calls that the examples of the documentation speak of. */
export const exampleTask = '4k9x2m7q8t3vbn5c';
export const exampleSource = '7d2h6w9rk4mz3pqa';
export const exampleContact = `${exampleSource}-2s`;

export const exampleSummary = {
  id: exampleTask,
  taskName: 'Renewal reminders',
  taskDesc: 'Customers whose plan ends in June',
  status: 1,
  dataSourceId: exampleSource,
  contactCount: 1000,
} as const;

export const exampleCalls = {
  callCount: 350,
  successCount: 210,
  failCount: 40,
  noAnswerCount: 100,
  dialRate: 0.35,
  successRate: 0.6,
} as const;

export const exampleOverview = {
  id: exampleTask,
  taskName: 'Renewal reminders',
  taskDesc: 'Customers whose plan ends in June',
  status: 1,
  dataSourceId: exampleSource,
  dataSourceName: 'June renewals',
  priority: 2,
  maxDialCount: 3,
  callInterval: 3600,
  dailyStartTime: '09:00',
  dailyEndTime: '18:00',
  timeZone: 'Europe/Berlin',
  weekdays: [1, 2, 3, 4, 5],
  excludedDates: ['2026-05-14'],
  breaks: [{ start: '12:00', end: '13:00' }],
  excludedDataSourceIds: [],
  callSettings: { script: 'renewal' },
  callerNumbers: ['+493012345678'],
  retryRules: [{ reasons: ['busy'], waitSeconds: 300, attempts: 3 }],
  retryOrder: 'due',
  callFrom: '2026-05-01 09:00',
  callUntil: '2026-05-29 18:00',
  maxConcurrentCalls: 20,
  callsPerMinute: null,
  pauseWhen: { failedPercent: 80, calls: 50 },
  contacts: {
    total: 1000,
    notDialed: 680,
    inCall: 4,
    waiting: 60,
    callbacks: 4,
    reached: 210,
    failed: 10,
    noAnswer: 30,
    blocked: 6,
  },
  calls: {
    total: exampleCalls.callCount,
    success: exampleCalls.successCount,
    failed: exampleCalls.failCount,
    noAnswer: exampleCalls.noAnswerCount,
    byReason: {
      busy: 30,
      rejected: 10,
      noAnswer: 80,
      voicemail: 20,
      poweredOff: 0,
      outOfService: 0,
      unreachable: 0,
      invalidNumber: 0,
      networkError: 0,
      other: 0,
    },
    duration: 15_750,
    talkDuration: 15_300,
  },
  dialing: {
    active: false,
    reason: 'OUTSIDE_HOURS',
    nextTime: '2026-05-04 09:00:00',
    lastLeaseTime: '2026-05-01 17:59:58',
    behind: [],
  },
  createTime: '2026-05-01 09:00:00',
  startTime: '2026-05-01 10:00:00',
  endTime: null,
  updateTime: '2026-05-01 10:00:00',
  reason: null,
} as const;

export const exampleTaskContact = {
  contactId: exampleContact,
  phoneNumber: '+491701234567',
  fields: { customerName: 'Ann' },
  outcome: 'waiting',
  attempts: 1,
  nextCallTime: '2026-05-01 12:12:13',
  calls: [{ time: '2026-05-01 11:12:13', outcome: 'noAnswer', reason: 'busy', duration: 0 }],
} as const;
