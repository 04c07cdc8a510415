import { param } from '../../platform/http/index.ts'
import type { Translator } from '../../platform/i18n/index.ts'
import {
  actionButton,
  badge,
  batch,
  filterLinks,
  hidden,
  href,
  html,
  linkButton,
  pageLinks,
  type BatchButton,
  type BatchItem,
  type Content,
  type Html,
} from '../../platform/ui/index.ts'
import type { Staff, StaffPage } from '../index.ts'
import { STATES, type State } from './review_lists.ts'

const PAGE_SIZE = 40
export const REFRESH_PATH = '/admin/trends/refresh'

/** The parameters of a list of trends: the decision, and the page number, from 0. */
export const listParameters = {
  state: param.enumeration(STATES, { default: 'all', fallback: 'all' }),
  page: param.integer({ default: 0, min: 0, max: 10_000 }),
} as const

export interface ListParameters {
  readonly state: State
  readonly page: number
}

/**
 * The range of a page, plus one entry to detect whether the list continues.
 */
export const toOffsetRange = ({ page }: ListParameters): { limit: number; offset: number } => ({
  limit: PAGE_SIZE + 1,
  offset: page * PAGE_SIZE,
})

const KINDS = ['tags', 'links', 'publishers', 'statuses'] as const

interface TrendsList {
  readonly kind: (typeof KINDS)[number]
  readonly parameters: ListParameters
  readonly buttons: readonly BatchButton[]
  /** The entries of the page, plus one if the list continues. */
  readonly items: readonly BatchItem[]
  /** Shown above the list. */
  readonly filter?: Content
  /** Additional query parameters of the page. */
  readonly query?: Readonly<Record<string, string>>
}

/** The page of a list of trends to review, with links to the other lists and decisions. */
export function trendsPage({ webSession, t, translator }: Staff, list: TrendsList): StaffPage {
  const { kind, parameters, buttons, items, filter, query } = list
  const path = `/admin/trends/${kind}`
  const listHref = (change: Partial<ListParameters>): string =>
    href(path, { state: parameters.state, ...query, ...change })
  return {
    title: t(`trends.${kind}`),
    navigationPath: '/admin/trends/tags',
    actions: [
      kind === 'tags' && linkButton('/admin/tags', t('tags.title')),
      actionButton({ action: REFRESH_PATH, csrfToken: webSession.csrfToken(), label: t('trends.refresh') }),
    ],
    body: html`${filterLinks(
      t('trends.kinds'),
      KINDS.map(listedKind => ({
        target: `/admin/trends/${listedKind}`,
        label: t(`trends.${listedKind}`),
        current: listedKind === kind,
      })),
    )}
    ${filterLinks(
      t('trends.decision'),
      STATES.map(state => ({
        target: href(path, { ...query, state }),
        label: t(`trends.state.${state}`),
        current: state === parameters.state,
      })),
    )}
    ${filter}
    ${batch({
      translator,
      action: `${path}/batch`,
      csrfToken: webSession.csrfToken(),
      buttons,
      items: items.slice(0, PAGE_SIZE),
      empty: t('trends.none'),
      fields: hidden('back', listHref({ page: parameters.page })),
    })}
    ${pageLinks(translator, {
      newer: parameters.page > 0 ? listHref({ page: parameters.page - 1 }) : undefined,
      older: items.length > PAGE_SIZE ? listHref({ page: parameters.page + 1 }) : undefined,
    })}`,
    scripts: ['/assets/batch.js'],
  }
}

/** A badge for the decision about an entry; without its own, that about its publisher or author. */
export function decisionBadge(translator: Translator, own: boolean | null, parent: boolean | null = null): Html {
  const decision = own ?? parent
  if (decision === null) return badge(translator.t('trends.state.pending'), 'warning')
  return decision
    ? badge(translator.t('trends.state.approved'), 'good')
    : badge(translator.t('trends.state.rejected'), 'bad')
}
