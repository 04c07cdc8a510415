import type { Id } from '../core/id.ts'
import { c, query, type Runner } from '../platform/database/index.ts'
import type { Translator } from '../platform/i18n/index.ts'

const listPosts = query(
  'moderation/strike_posts',
  { strike: c.id },
  { id: c.id, spoiler_text: c.text, text: c.text, attachments: c.integer },
)
const findReason = query(
  'moderation/strike_reason',
  { strike: c.id, language: c.text },
  { category: c.text, rules: c.texts },
)

/** What a strike is about, for the person warned, who may want to appeal. */
interface StrikeSubject {
  /** The category of the report; undefined when it says nothing, and without a report. */
  readonly reason: string | undefined
  /** The broken rules. */
  readonly rules: readonly string[]
  /** What the posts said that are still kept, by their ids; also of deleted ones. */
  readonly posts: ReadonlyMap<Id, string>
}

/** Reads what a strike is about, in the language of the translator. */
export async function readStrikeSubject(
  runner: Runner,
  strike: Id,
  { t, has, language }: Translator,
): Promise<StrikeSubject> {
  const [posts, report] = [await runner.run(listPosts, { strike }), await runner.one(findReason, { strike, language })]
  const category = `reports.category.${report?.category}`
  return {
    reason: has(category) && category !== 'reports.category.other' ? t(category) : undefined,
    rules: report?.rules ?? [],
    posts: new Map(
      posts.map(({ id, spoiler_text: warning, text, attachments }) => {
        const files = attachments > 0 ? t('strikes.attachments', { count: attachments }) : ''
        return [id, [warning, text, files].filter(part => part !== '').join('\n\n')]
      }),
    ),
  }
}
