import { c, query } from '../platform/database/index.ts'
import type { Services } from '../platform/services.ts'
import { renderMarkdown } from '../core/text/index.ts'
import { DEFAULT_PRIVACY_POLICY_CHANGED, defaultPrivacyPolicy } from './privacy.ts'

const settingChangedAt = query('instance/setting_changed_at', { key: c.text }, { updated_at: c.timestamp })

/** The entities ExtendedDescription and PrivacyPolicy. */
export interface LongText {
  updated_at: string | null
  /** HTML; empty if there is no text. */
  content: string
}

/** ISO 8601 without milliseconds, as in these entities. */
const withoutMilliseconds = (date: Date): string => `${date.toISOString().slice(0, 19)}+00:00`

async function changedAt(services: Services, key: string): Promise<string | null> {
  const row = await services.database.one(settingChangedAt, { key })
  return row ? withoutMilliseconds(row.updated_at) : null
}

/** The administrators' description of the server. */
export async function extendedDescription(services: Services): Promise<LongText> {
  const text = services.settings.get('site_extended_description')
  if (text === '') return { updated_at: null, content: '' }
  return { updated_at: await changedAt(services, 'site_extended_description'), content: renderMarkdown(text) }
}

/** The administrators' policy, or the default one. */
export async function privacyPolicy(services: Services): Promise<LongText> {
  const own = services.settings.get('site_terms')
  const text = (own === '' ? defaultPrivacyPolicy : own).replaceAll('%{domain}', services.config.localDomain)
  const updated_at = own === '' ? '2022-10-07T00:00:00+00:00' : await changedAt(services, 'site_terms')
  return { updated_at, content: renderMarkdown(text) }
}

/**
 * When the policy was last changed. The default one has a fixed date, which clients receive too.
 */
export const privacyPolicyChangedAt = async (services: Services): Promise<string | null> =>
  services.settings.get('site_terms') === '' ? DEFAULT_PRIVACY_POLICY_CHANGED : changedAt(services, 'site_terms')
