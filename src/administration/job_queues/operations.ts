import type { Id } from '../../core/id.ts'
import { param, redirect, type AnyOperation } from '../../platform/http/index.ts'
import { JOB_STATES, listJobs, listQueues, removeJobs, retryJobs, withoutSecrets } from '../../platform/jobs/index.ts'
import {
  batch,
  facts,
  filterLinks,
  hidden,
  href,
  html,
  pageLinks,
  section,
  table,
  time,
  type BatchButton,
  type Content,
} from '../../platform/ui/index.ts'
import { staffBatch, staffView, type Staff, type StaffPage } from '../index.ts'

const permissions = ['view_devops'] as const
const PATH = '/admin/jobs'
const PAGE_SIZE = 50
type State = (typeof JOB_STATES)[number]
type Queues = Awaited<ReturnType<typeof listQueues>>

/** The filter of the list: jobs of a state, and of one kind unless `name` is empty. */
interface JobFilter {
  readonly state: State
  readonly name: string
  readonly before: Id | undefined
}

const listPath = (state: State, name: string): string => href(PATH, { state, name })

async function jobsPage(staff: Staff, filter: JobFilter): Promise<StaffPage> {
  const { context, t } = staff
  const queues = await listQueues(context.database)
  return {
    title: t('jobs.title'),
    navigationPath: PATH,
    scripts: ['/assets/batch.js'],
    body: [
      html`<p>${t('jobs.intro')}</p>`,
      section('queues', t('jobs.queues'), queueTable(staff, queues)),
      section('jobs', t('jobs.jobs'), await jobList(staff, filter, queues)),
    ],
  }
}

const queueTable = ({ t, translator }: Staff, queues: Queues): Content =>
  table({
    caption: t('jobs.queues'),
    columns: [
      { label: t('jobs.kind') },
      ...JOB_STATES.map(state => ({ label: t(`jobs.${state}`), kind: 'number' as const })),
      { label: t('jobs.oldest_due') },
    ],
    rows: queues.map((queue): Content[] => [
      queue.name,
      ...JOB_STATES.map(state =>
        queue[state] === 0 ? '0' : html`<a href="${listPath(state, queue.name)}#jobs">${queue[state]}</a>`,
      ),
      queue.oldest_due ? time(queue.oldest_due, translator) : '–',
    ]),
    empty: t('jobs.no_queues'),
  })

async function jobList(staff: Staff, { state, name, before }: JobFilter, queues: Queues): Promise<Content> {
  const { context, t, translator, webSession } = staff
  const limit = PAGE_SIZE + 1
  const rows = await listJobs(context.database, { state, name: name === '' ? undefined : name, before, limit })
  const page = rows.slice(0, PAGE_SIZE)
  const path = listPath(state, name)
  const matching = queues.filter(queue => name === '' || queue.name === name)
  const buttons: BatchButton[] = [
    { value: 'retry', label: t('jobs.retry') },
    { value: 'delete', label: t('jobs.delete'), kind: 'danger' },
  ]
  return [
    filterLinks(
      t('jobs.state'),
      JOB_STATES.map(listedState => ({
        target: `${listPath(listedState, name)}#jobs`,
        label: t(`jobs.${listedState}`),
        current: listedState === state,
        count: matching.reduce((sum, queue) => sum + queue[listedState], 0),
      })),
    ),
    name !== '' &&
      html`<p>${t('jobs.of_kind', { name })} <a href="${listPath(state, '')}#jobs">${t('jobs.all_kinds')}</a></p>`,
    batch({
      action: `${PATH}/batch`,
      csrfToken: webSession.csrfToken(),
      translator,
      buttons: state === 'running' ? [] : buttons,
      fields: hidden('back', path),
      items: page.map(job => ({
        value: job.id,
        name: `${job.name} ${job.id}`,
        content: html`<p><strong>${job.name}</strong> <span class="quiet">${job.id}</span></p>
          ${facts([
            [t('jobs.attempts'), `${job.attempts} / ${job.max_attempts}`],
            [t('jobs.created_at'), time(job.created_at, translator)],
            [t('jobs.run_at'), state !== 'failed' && state !== 'running' && time(job.run_at, translator)],
            [t('jobs.running_since'), job.locked_at && time(job.locked_at, translator)],
            [t('jobs.last_error'), job.last_error !== null && html`<code>${withoutSecrets(job.last_error)}</code>`],
          ])}`,
      })),
      empty: t('jobs.empty'),
    }),
    pageLinks(translator, {
      newer: before === undefined ? undefined : path,
      older: rows.length > PAGE_SIZE ? href(PATH, { state, name, max_id: page.at(-1)?.id }) : undefined,
    }),
  ]
}

const showJobs = staffView({
  path: PATH,
  summary: 'Show the queues of background jobs, and the waiting and failed jobs',
  permissions,
  params: {
    state: param.enumeration(JOB_STATES, { default: 'failed', fallback: 'failed' }),
    name: param.string({ default: '' }),
    max_id: param.cursor(),
  },
  show: ({ state, name, max_id: before }, staff) => jobsPage(staff, { state, name, before }),
})

const changeSelected = staffBatch({
  path: `${PATH}/batch`,
  summary: 'Run the selected jobs again, or delete them',
  permissions,
  changes: ['retry', 'delete'],
  list: PATH,
  act: (change, ids, { context, viewer }) =>
    (change === 'retry' ? retryJobs : removeJobs)(context.database, viewer.id, ids),
})

/** Mastodon's path of the queues. */
const redirectQueues = staffView({
  path: '/sidekiq',
  summary: 'Redirect to the queues of background jobs',
  permissions,
  params: {},
  returns: 'redirect',
  show: () => redirect(PATH),
})

export const operations: readonly AnyOperation[] = [showJobs, changeSelected, redirectQueues]
