import { domainToASCII } from 'node:url'
import { hasPermission, type Permission } from '../../core/permissions.ts'
import { startFederationTask } from '../../federation/index.ts'
import { startTask } from '../../moderation/tasks/index.ts'
import { param } from '../../platform/http/index.ts'
import {
  checkbox,
  disclosure,
  field,
  form,
  html,
  section,
  submit,
  type Content,
  type Html,
} from '../../platform/ui/index.ts'
import { staffForm, type Staff } from '../index.ts'
import { TASKS_PATH } from './path.ts'

interface Upkeep {
  readonly summary: string
  readonly permission: Permission
  /** Whether it may be limited to a domain. */
  readonly ofDomain: boolean
}

/** The upkeep of accounts of other servers, and of keys. */
const UPKEEP = {
  prune: {
    summary: 'Remove accounts of other servers without any relation to local accounts',
    permission: 'manage_federation',
    ofDomain: false,
  },
  cull: {
    summary: 'Remove accounts of other servers, or of one, that no longer exist there',
    permission: 'manage_federation',
    ofDomain: true,
  },
  refresh: {
    summary: 'Fetch the accounts of other servers, or of one, again',
    permission: 'manage_federation',
    ofDomain: true,
  },
  rotate: {
    summary: 'Replace the signing keys of all local accounts',
    permission: 'manage_settings',
    ofDomain: false,
  },
} as const satisfies Record<string, Upkeep>
type UpkeepKind = keyof typeof UPKEEP
const KINDS = ['prune', 'cull', 'refresh', 'rotate'] as const satisfies readonly UpkeepKind[]

const upkeepForm = ({ t, webSession }: Staff, kind: UpkeepKind): Html =>
  form({ action: `${TASKS_PATH}/${kind}`, csrfToken: webSession.csrfToken() }, [
    html`<p>${t(`tasks.${kind}_hint`)}</p>`,
    UPKEEP[kind].ofDomain &&
      field({
        id: `${kind}_domain`,
        label: t('tasks.domain'),
        name: 'domain',
        value: '',
        verbatim: true,
        hint: t('tasks.domain_hint'),
      }),
    checkbox({ id: `${kind}_sure`, label: t('accounts.sure'), name: 'sure' }),
    submit(t(`tasks.${kind}`), kind === 'refresh' ? 'primary' : 'danger'),
  ])

/** The forms of the upkeep that the viewer may start. */
export function upkeepSection(staff: Staff): Content {
  const permitted = KINDS.filter(kind => hasPermission(staff.viewer, UPKEEP[kind].permission))
  return (
    permitted.length > 0 &&
    section(
      'upkeep',
      staff.t('tasks.upkeep'),
      permitted.map(kind => disclosure(staff.t(`tasks.${kind}`), upkeepForm(staff, kind))),
    )
  )
}

const upkeepOperation = (kind: UpkeepKind) =>
  staffForm({
    path: `${TASKS_PATH}/${kind}`,
    summary: UPKEEP[kind].summary,
    permissions: [UPKEEP[kind].permission],
    params: {
      domain: param.string({ default: '', max: 255, trim: true }),
      sure: param.boolean({ default: false }),
    },
    async act({ domain: text, sure }, { context: { database }, viewer: { id }, t }) {
      if (!sure) return { to: TASKS_PATH, alert: t('accounts.not_sure') }
      // A domain with a port, as on test networks, is none for `domainToASCII`.
      const which = text === '' ? {} : { domain: domainToASCII(text) || text.toLowerCase() }
      if (kind === 'prune') await startTask(database, id, { kind: 'prune_accounts' })
      else if (kind === 'rotate') await startFederationTask(database, id, { kind: 'rotate_keys' })
      else await startFederationTask(database, id, { kind: `${kind}_accounts`, ...which })
      return { to: TASKS_PATH, notice: t('tasks.started') }
    },
  })

export const upkeepOperations = KINDS.map(upkeepOperation)
