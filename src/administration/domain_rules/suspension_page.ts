import type { Id } from '../../core/id.ts'
import { form, hidden, html, linkButton, submit } from '../../platform/ui/index.ts'
import type { Staff, StaffPage } from '../index.ts'
import { lossFacts } from '../page_parts/index.ts'
import { BLOCKS_PATH } from './import_pages.ts'

/** The submitted form of a rule. */
interface SuspensionInput {
  /** Absent for a new rule. */
  readonly id?: Id
  /** Normalised. */
  readonly domain: string
  readonly reject_media: boolean
  readonly reject_reports: boolean
  readonly public_comment: string
  readonly private_comment: string
  readonly obfuscate: boolean
}

/** Confirms a suspension: shows what is lost, and submits the same form again. */
export async function suspensionPage(staff: Staff, rule: SuspensionInput): Promise<StaffPage> {
  const { t, webSession } = staff
  const { id, domain, public_comment, private_comment } = rule
  const flags = (['reject_media', 'reject_reports', 'obfuscate'] as const).filter(name => rule[name])
  const fields = { domain, severity: 'suspend', public_comment, private_comment, sure: '1' }
  return {
    title: t('domain_blocks.confirm', { domain }),
    navigationPath: BLOCKS_PATH,
    status: 200,
    breadcrumbs: [[BLOCKS_PATH, t('domain_blocks.title')]],
    body: html`<div class="card section">
      ${await lossFacts(staff, domain, true)}
      <p>${t('domain_blocks.confirm_hint')}</p>
      ${form(
        {
          action: id === undefined ? BLOCKS_PATH : `${BLOCKS_PATH}/${id}`,
          ...(id !== undefined && { method: 'put' }),
          csrfToken: webSession.csrfToken(),
        },
        [
          Object.entries(fields).map(([name, value]) => hidden(name, value)),
          flags.map(name => hidden(name, '1')),
          html`<div class="buttons">
            ${submit(t('domain_blocks.confirm_submit'), 'danger')} ${linkButton(BLOCKS_PATH, t('staff.cancel'))}
          </div>`,
        ],
      )}
    </div>`,
  }
}
