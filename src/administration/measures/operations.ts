import { domainToASCII } from 'node:url'
import { ApiError } from '../../core/errors.ts'
import { param } from '../../platform/http/index.ts'
import { adminOperation } from '../index.ts'
import { dimension, isDimensionKey, needsPeriod, type Dimension, type Selection } from './dimensions.ts'
import { isMeasureKey, measure, type Measure, type Subject } from './measures.ts'
import { periodOf } from './period.ts'
import { retention } from './retention.ts'

const MAX_DOMAIN = 1000

const tag = (key: string) =>
  param.object(
    { id: param.id({ optional: true, invalid: 'missing' }) },
    { optional: true, missing: 400, description: `the hashtag of ${key}` },
  )
const instance = (key: string) =>
  param.object(
    {
      domain: param.string({ missing: 400, max: MAX_DOMAIN }),
      include_subdomains: param.boolean({ default: false }),
    },
    { optional: true, missing: 400, description: `the domain of ${key}` },
  )

const firstDay = { withTime: true, description: 'the first day; at most two years before the last' } as const
const lastDay = { withTime: true, description: 'the last day' } as const

const required = (name: string): ApiError =>
  new ApiError('missingParameter', { message: `param is missing or the value is empty or invalid: ${name}` })

/** The subject of a key, or the error for one that needs a subject and has none. */
type Input = { id?: string | undefined } | { domain: string; include_subdomains: boolean } | undefined

function subjectOf(key: string, given: Input): Subject & Selection {
  if (!given) throw required(key)
  if (!('domain' in given)) return { tag: given.id }
  const text = given.domain.trim()
  return { domain: domainToASCII(text) || text.toLowerCase(), below: given.include_subdomains }
}

/** Computes each key once, in the given order. */
function each<K extends string, T>(keys: readonly K[], compute: (key: K) => Promise<T>): Promise<T[]> {
  const computed = new Map<K, Promise<T>>()
  return Promise.all(
    keys.map(key => {
      const known = computed.get(key) ?? compute(key)
      computed.set(key, known)
      return known
    }),
  )
}

const showMeasures = adminOperation({
  method: 'POST',
  path: '/api/v1/admin/measures',
  scopes: ['admin:read'],
  permission: 'view_dashboard',
  summary: 'Figures by day, for the dashboard',
  params: {
    keys: param.strings({ missing: 400, min: 1, scalar: true, description: 'the figures; unknown ones are skipped' }),
    start_at: param.date({ ...firstDay, missing: 400 }),
    end_at: param.date({ ...lastDay, missing: 400 }),
    tag_accounts: tag('tag_accounts'),
    tag_uses: tag('tag_uses'),
    tag_servers: tag('tag_servers'),
    instance_accounts: instance('instance_accounts'),
    instance_media_attachments: instance('instance_media_attachments'),
    instance_reports: instance('instance_reports'),
    instance_statuses: instance('instance_statuses'),
    instance_follows: instance('instance_follows'),
    instance_followers: instance('instance_followers'),
  },
  returns: '[Admin_Measure]',
  handle({ keys, start_at: startAt, end_at: endAt, ...subjects }, context): Promise<Measure[]> {
    const period = periodOf(startAt, endAt)
    const given: Readonly<Record<string, Input>> = subjects
    const subjectFor = (key: string): Subject => (key in given ? subjectOf(key, given[key]) : {})
    const asked = keys.filter(isMeasureKey).map(key => ({ key, subject: subjectFor(key) }))
    const bySubject = new Map(asked.map(({ key, subject }) => [key, subject]))
    return each(
      asked.map(({ key }) => key),
      key => measure(context, key, period, bySubject.get(key)),
    )
  },
})

const showDimensions = adminOperation({
  method: 'POST',
  path: '/api/v1/admin/dimensions',
  scopes: ['admin:read'],
  permission: 'view_dashboard',
  summary: 'Rankings, for the dashboard',
  params: {
    keys: param.strings({ default: [], scalar: true, description: 'the rankings; unknown ones are skipped' }),
    start_at: param.date({ ...firstDay, optional: true }),
    end_at: param.date({ ...lastDay, optional: true }),
    limit: param.integer({ optional: true, min: 0, description: 'rows of each ranking; all by default' }),
    tag_servers: tag('tag_servers'),
    tag_languages: tag('tag_languages'),
    instance_accounts: instance('instance_accounts'),
    instance_languages: instance('instance_languages'),
  },
  returns: '[Admin_Dimension]',
  handle({ keys, start_at: startAt, end_at: endAt, limit, ...subjects }, context): Promise<Dimension[]> {
    const asked = keys.filter(isDimensionKey)
    if (asked.some(needsPeriod)) {
      if (startAt === undefined) throw required('start_at')
      if (endAt === undefined) throw required('end_at')
    }
    const period = startAt === undefined || endAt === undefined ? { first: 0, last: 0 } : periodOf(startAt, endAt)
    const given: Readonly<Record<string, Input>> = subjects
    const selections = new Map(asked.map(key => [key, key in given ? subjectOf(key, given[key]) : {}]))
    return each(asked, key => dimension(context, key, period, { ...selections.get(key), limit }))
  },
})

const showRetention = adminOperation({
  method: 'POST',
  path: '/api/v1/admin/retention',
  scopes: ['admin:read'],
  permission: 'view_dashboard',
  summary: 'How many users came back, by the day or month of their sign-up',
  params: {
    start_at: param.date({ ...firstDay, missing: 400 }),
    end_at: param.date({ ...lastDay, missing: 400 }),
    frequency: param.string({ default: 'day', description: 'day or month' }),
  },
  returns: '[Admin_Cohort]',
  async handle({ start_at: startAt, end_at: endAt, frequency }, context) {
    const cohorts = await retention(context, periodOf(startAt, endAt), frequency === 'month' ? 'month' : 'day')
    return cohorts.map(({ cohort }) => cohort)
  },
})

export const operations = [showMeasures, showDimensions, showRetention]
