import { lossesOf } from '../../moderation/domain_rules/index.ts'
import { facts, html, type Content } from '../../platform/ui/index.ts'
import type { Staff } from '../index.ts'

/** What is lost with the accounts of a domain. @param below with its subdomains */
export async function lossFacts({ context, t }: Staff, domain: string, below: boolean): Promise<Content> {
  const { accounts, statuses, follows, followers, members } = await lossesOf(context.database, domain, below)
  if (accounts === 0) return html`<p>${t('losses.none')}</p>`
  return [
    html`<p>${t('losses.intro')}</p>`,
    facts([
      [t('losses.accounts'), accounts],
      [t('losses.statuses'), statuses],
      [t('losses.follows'), follows],
      [t('losses.followers'), followers],
      [t('losses.members'), members],
    ]),
  ]
}
