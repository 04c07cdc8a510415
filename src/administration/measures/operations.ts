import { storedDomain } from '../../core/parse_url.ts'
import { ApiError } from '../../core/errors.ts'
import { param } from '../../platform/http/index.ts'
import { adminOperation } from '../index.ts'
import { readDimension, isDimensionKey, needsPeriod, type Dimension, type Selection } from './dimensions.ts'
import { isMeasureKey, readMeasure, type Measure, type Subject } from './measures.ts'
import { parsePeriod } from './period.ts'
import { readRetention } from './retention.ts'

const MAX_DOMAIN_CHARACTERS = 1000
/**
 * About twice as many as there are. Each key repeats its figures for up to two years, and a request
 * has room for a hundred thousand.
 */
const MAX_KEYS = 30

const tagParameter = (key: string) =>
  param.object(
    { id: param.id({ optional: true, invalid: 'missing' }) },
    { optional: true, missing: 400, description: `the hashtag of ${key}` },
  )
const instanceParameter = (key: string) =>
  param.object(
    {
      domain: param.string({ missing: 400, max: MAX_DOMAIN_CHARACTERS }),
      include_subdomains: param.boolean({ default: false }),
    },
    { optional: true, missing: 400, description: `the domain of ${key}` },
  )

const firstDay = { withTime: true, description: 'the first day; at most two years before the last' } as const
const lastDay = { withTime: true, description: 'the last day' } as const

const missingParameter = (name: string): ApiError =>
  new ApiError('missingParameter', { message: `param is missing or the value is empty or invalid: ${name}` })

/** The request's parameter for the subject of a key. */
type SubjectInput = { id?: string | undefined } | { domain: string; include_subdomains: boolean } | undefined

function parseSubject(key: string, input: SubjectInput): Subject & Selection {
  if (!input) throw missingParameter(key)
  if (!('domain' in input)) return { tag: input.id }
  const text = input.domain.trim()
  return { domain: storedDomain(text), below: input.include_subdomains }
}

/** Computes each distinct key once, and returns the results in the order of the keys. */
function computeEach<K extends string, T>(keys: readonly K[], compute: (key: K) => Promise<T>): Promise<T[]> {
  const computed = new Map<K, Promise<T>>()
  return Promise.all(
    keys.map(key => {
      const existing = computed.get(key) ?? compute(key)
      computed.set(key, existing)
      return existing
    }),
  )
}

const showMeasures = adminOperation({
  method: 'POST',
  path: '/api/v1/admin/measures',
  scopes: ['admin:read'],
  permission: 'view_dashboard',
  summary: 'Show daily figures for the dashboard',
  params: {
    keys: param.strings({
      missing: 400,
      min: 1,
      max: MAX_KEYS,
      scalar: true,
      description: 'the figures; unknown ones are skipped',
    }),
    start_at: param.date({ ...firstDay, missing: 400 }),
    end_at: param.date({ ...lastDay, missing: 400 }),
    tag_accounts: tagParameter('tag_accounts'),
    tag_uses: tagParameter('tag_uses'),
    tag_servers: tagParameter('tag_servers'),
    instance_accounts: instanceParameter('instance_accounts'),
    instance_media_attachments: instanceParameter('instance_media_attachments'),
    instance_reports: instanceParameter('instance_reports'),
    instance_statuses: instanceParameter('instance_statuses'),
    instance_follows: instanceParameter('instance_follows'),
    instance_followers: instanceParameter('instance_followers'),
  },
  returns: '[Admin_Measure]',
  handle({ keys, start_at: startAt, end_at: endAt, ...subjects }, context): Promise<Measure[]> {
    const period = parsePeriod(startAt, endAt)
    const inputs: Readonly<Record<string, SubjectInput>> = subjects
    const parseSubjectOf = (key: string): Subject => (key in inputs ? parseSubject(key, inputs[key]) : {})
    const requested = keys.filter(isMeasureKey).map(key => ({ key, subject: parseSubjectOf(key) }))
    const bySubject = new Map(requested.map(({ key, subject }) => [key, subject]))
    return computeEach(
      requested.map(({ key }) => key),
      key => readMeasure(context, key, period, bySubject.get(key)),
    )
  },
})

const showDimensions = adminOperation({
  method: 'POST',
  path: '/api/v1/admin/dimensions',
  scopes: ['admin:read'],
  permission: 'view_dashboard',
  summary: 'Show rankings for the dashboard',
  params: {
    keys: param.strings({
      default: [],
      max: MAX_KEYS,
      scalar: true,
      description: 'the rankings; unknown ones are skipped',
    }),
    start_at: param.date({ ...firstDay, optional: true }),
    end_at: param.date({ ...lastDay, optional: true }),
    limit: param.integer({ optional: true, min: 0, description: 'rows of each ranking; all by default' }),
    tag_servers: tagParameter('tag_servers'),
    tag_languages: tagParameter('tag_languages'),
    instance_accounts: instanceParameter('instance_accounts'),
    instance_languages: instanceParameter('instance_languages'),
  },
  returns: '[Admin_Dimension]',
  handle({ keys, start_at: startAt, end_at: endAt, limit, ...subjects }, context): Promise<Dimension[]> {
    const requested = keys.filter(isDimensionKey)
    if (requested.some(needsPeriod)) {
      if (startAt === undefined) throw missingParameter('start_at')
      if (endAt === undefined) throw missingParameter('end_at')
    }
    const period = startAt === undefined || endAt === undefined ? { first: 0, last: 0 } : parsePeriod(startAt, endAt)
    const inputs: Readonly<Record<string, SubjectInput>> = subjects
    const selections = new Map(requested.map(key => [key, key in inputs ? parseSubject(key, inputs[key]) : {}]))
    return computeEach(requested, key => readDimension(context, key, period, { ...selections.get(key), limit }))
  },
})

const showRetention = adminOperation({
  method: 'POST',
  path: '/api/v1/admin/retention',
  scopes: ['admin:read'],
  permission: 'view_dashboard',
  summary: 'Show how many users came back, by the day or month of their sign-up',
  params: {
    start_at: param.date({ ...firstDay, missing: 400 }),
    end_at: param.date({ ...lastDay, missing: 400 }),
    frequency: param.string({ default: 'day', description: 'day or month' }),
  },
  returns: '[Admin_Cohort]',
  async handle({ start_at: startAt, end_at: endAt, frequency }, context) {
    const cohorts = await readRetention(context, parsePeriod(startAt, endAt), frequency === 'month' ? 'month' : 'day')
    return cohorts.map(({ cohort }) => cohort)
  },
})

export const operations = [showMeasures, showDimensions, showRetention]
