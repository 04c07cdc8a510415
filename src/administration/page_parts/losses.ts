import { lossesOf, type Losses } from '../../moderation/domain_rules/index.ts'
import { facts, html, type Content } from '../../platform/ui/index.ts'
import type { Staff } from '../index.ts'

/** The losses when the accounts of a domain are removed. @param below includes its subdomains */
export async function lossFacts({ context, t }: Staff, domain: string, below: boolean): Promise<Content> {
  const losses = (await lossesOf(context.database, [domain], below)).get(domain)
  if (!losses) return html`<p>${t('losses.none')}</p>`
  return [html`<p>${t('losses.intro')}</p>`, facts(LOSSES.map(lost => [t(`losses.${lost}`), losses[lost]]))]
}

const LOSSES = ['accounts', 'statuses', 'follows', 'followers', 'members'] as const satisfies readonly (keyof Losses)[]

/**
 * The losses for each of several domains, in one sentence.
 * @param below includes their subdomains
 */
export async function lossSentences(
  { context, t }: Staff,
  domains: readonly string[],
  below: boolean,
): Promise<ReadonlyMap<string, string>> {
  const losses = await lossesOf(context.database, domains, below)
  return new Map(
    domains.map(domain => {
      const lost = losses.get(domain)
      return [domain, lost ? t('losses.sentence', { ...lost }) : t('losses.none')]
    }),
  )
}
