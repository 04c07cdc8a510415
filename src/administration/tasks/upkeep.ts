import { storedDomain } from '../../core/parse_url.ts'
import type { Permission } from '../../core/permissions.ts'
import { startFederationTask } from '../../federation/index.ts'
import { startTask } from '../../moderation/tasks/index.ts'
import { param } from '../../platform/http/index.ts'
import { checkbox, field, select, type Content } from '../../platform/ui/index.ts'
import { staffForm, type Staff } from '../index.ts'
import { formSection, startConfirmed, sure, taskForm } from './form.ts'
import { TASKS_PATH } from './path.ts'

interface Upkeep {
  readonly summary: string
  readonly permission: Permission
  /** Whether it may be limited to a domain, or must be. */
  readonly domain?: 'optional' | 'required'
  /** Whether it destroys something. */
  readonly destroys: boolean
}

/** The upkeep of accounts and files of other servers, of counters and of keys. */
const UPKEEP = {
  prune: {
    summary: 'Remove accounts of other servers without any relation to local accounts',
    permission: 'manage_federation',
    destroys: true,
  },
  cull: {
    summary: 'Remove accounts of other servers, or of one, that no longer exist there',
    permission: 'manage_federation',
    domain: 'optional',
    destroys: true,
  },
  refresh: {
    summary: 'Fetch the accounts of other servers, or of one, again',
    permission: 'manage_federation',
    domain: 'optional',
    destroys: false,
  },
  copy: {
    summary: 'Copy the attachments of another server again',
    permission: 'manage_federation',
    domain: 'required',
    destroys: false,
  },
  rotate: {
    summary: 'Replace the signing keys of all local accounts',
    permission: 'manage_settings',
    destroys: true,
  },
  recount: {
    summary: 'Recount the counters of accounts or statuses',
    permission: 'manage_settings',
    destroys: false,
  },
  orphans: {
    summary: 'Remove stored files that nothing names',
    permission: 'manage_settings',
    destroys: true,
  },
} as const satisfies Record<string, Upkeep>
type UpkeepKind = keyof typeof UPKEEP
const KINDS = [
  'prune',
  'cull',
  'refresh',
  'copy',
  'rotate',
  'recount',
  'orphans',
] as const satisfies readonly UpkeepKind[]

/** What is counted. */
const COUNTED = ['accounts', 'statuses'] as const

function fieldsOf({ t }: Staff, kind: UpkeepKind): Content {
  const { domain }: Upkeep = UPKEEP[kind]
  return [
    domain !== undefined &&
      field({
        id: `${kind}_domain`,
        label: t('tasks.domain'),
        name: 'domain',
        value: '',
        verbatim: true,
        required: domain === 'required',
        ...(domain === 'optional' && { hint: t('tasks.domain_hint') }),
      }),
    kind === 'copy' && checkbox({ label: t('tasks.forced'), name: 'forced', required: false }),
    kind === 'recount' &&
      select({
        label: t('tasks.counted'),
        name: 'counted',
        choices: COUNTED.map(one => [one, t(`tasks.counted.${one}`)]),
        value: 'accounts',
      }),
  ]
}

/** The forms of the upkeep that the viewer may start. */
export const upkeepSection = (staff: Staff): Content =>
  formSection(
    staff,
    'upkeep',
    staff.t('tasks.upkeep'),
    KINDS.map(kind => ({
      permission: UPKEEP[kind].permission,
      content: taskForm(staff, kind, fieldsOf(staff, kind), UPKEEP[kind].destroys ? 'danger' : 'primary'),
    })),
  )

interface UpkeepInput {
  /** Empty for all. */
  readonly domain: string
  readonly forced: boolean
  readonly counted: (typeof COUNTED)[number]
}

function begin({ context: { database }, viewer: { id } }: Staff, kind: UpkeepKind, input: UpkeepInput) {
  const which = input.domain === '' ? {} : { domain: input.domain }
  switch (kind) {
    case 'prune':
      return startTask(database, id, { kind: 'prune_accounts' })
    case 'cull':
      return startFederationTask(database, id, { kind: 'cull_accounts', ...which })
    case 'refresh':
      return startFederationTask(database, id, { kind: 'refresh_accounts', ...which })
    case 'copy':
      return startTask(database, id, { kind: 'refresh_media', domain: input.domain, widened: input.forced })
    case 'rotate':
      return startFederationTask(database, id, { kind: 'rotate_keys' })
    case 'recount':
      return startTask(database, id, { kind: `recount_${input.counted}` })
    case 'orphans':
      return startTask(database, id, { kind: 'remove_orphans' })
  }
}

const upkeepOperation = (kind: UpkeepKind) =>
  staffForm({
    path: `${TASKS_PATH}/${kind}`,
    summary: UPKEEP[kind].summary,
    permissions: [UPKEEP[kind].permission],
    params: {
      domain: param.string({ default: '', max: 255, trim: true }),
      forced: param.boolean({ default: false }),
      counted: param.enumeration(COUNTED, { default: 'accounts' }),
      sure,
    },
    act({ domain: text, sure: isSure, ...input }, staff) {
      const needed: Upkeep = UPKEEP[kind]
      const fault = text === '' && needed.domain === 'required' ? staff.t('tasks.no_domain') : undefined
      const domain = storedDomain(text)
      return startConfirmed(staff, { sure: isSure, fault }, () => begin(staff, kind, { domain, ...input }))
    },
  })

export const upkeepOperations = KINDS.map(upkeepOperation)
