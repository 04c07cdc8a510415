import { c, query, type Row } from '../../platform/database/index.ts'
import { ApiError } from '../../core/errors.ts'
import { operation, param } from '../../platform/http/index.ts'
import type { Services } from '../../platform/services.ts'
import { renderMarkdown } from '../../core/text/index.ts'

const findTerms = query(
  'instance/terms/published',
  {},
  {
    text: c.text,
    effective_date: c.nullable(c.text),
    published_at: c.timestamp,
    effective: c.nullable(c.boolean),
    succeeded_by: c.nullable(c.text),
  },
)

type Terms = Row<typeof findTerms.columns>

/** Published terms, ordered by effective date. */
const publishedTerms = ({ database }: Services): Promise<Terms[]> => database.run(findTerms, {})

/** Whether any terms are published. */
export const hasTerms = async (services: Services): Promise<boolean> => (await publishedTerms(services)).length > 0

/** The latest terms in effect; if none are, the first to take effect. */
const inForce = (terms: readonly Terms[]): Terms | undefined =>
  terms.findLast(({ effective }) => effective !== false) ?? terms[0]

/** The entity TermsOfService. */
export interface TermsOfService {
  effective_date: string
  effective: boolean | null
  content: string
  succeeded_by: string | null
}

function toEntity({ config }: Services, terms: Terms | undefined): TermsOfService {
  if (!terms) throw new ApiError('notFound')
  return {
    effective_date: terms.effective_date ?? terms.published_at.toISOString(),
    effective: terms.effective,
    content: renderMarkdown(terms.text.replaceAll('%{domain}', config.localDomain)),
    succeeded_by: terms.succeeded_by,
  }
}

/** @throws ApiError notFound if there are none */
export const termsInForce = async (services: Services): Promise<TermsOfService> =>
  toEntity(services, inForce(await publishedTerms(services)))

/**
 * The terms with this effective date.
 * @throws ApiError notFound if there are none
 */
export async function termsOf(services: Services, date: string): Promise<TermsOfService> {
  const terms = await publishedTerms(services)
  return toEntity(
    services,
    terms.find(one => one.effective_date === date),
  )
}

const common = {
  method: 'GET',
  auth: 'public',
  scopes: [],
  returns: 'TermsOfService',
  cache: 'instance',
  cacheTags: () => [],
  allowWhenClosed: 'unlessLimitedFederation',
} as const

const showTerms = operation({
  ...common,
  path: '/api/v1/instance/terms_of_service',
  summary: 'Show the terms of service in force',
  params: {},
  handle: (_, services) => termsInForce(services),
})

const showTermsOf = operation({
  ...common,
  path: '/api/v1/instance/terms_of_service/:date',
  summary: 'Show the terms of service with an effective date',
  params: { date: param.date({ invalid: 'notFound' }) },
  handle: ({ date }, services) => termsOf(services, date),
})

export const terms = [showTerms, showTermsOf]
