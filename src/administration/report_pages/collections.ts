import type { Id } from '../../core/id.ts'
import { c, query } from '../../platform/database/index.ts'
import { html, section, type Content } from '../../platform/ui/index.ts'
import type { Staff } from '../index.ts'

const collectionsQuery = query(
  'administration/report_pages/collections',
  { report: c.id },
  { id: c.id, name: c.text, description: c.text, items: c.integer },
)

/** The reported collections of a report; nothing when there are none. */
export async function collectionSection({ context, t }: Staff, report: Id): Promise<Content> {
  const collections = await context.database.run(collectionsQuery, { report })
  const entries = collections.map(
    ({ id, name, description, items }) =>
      html`<li class="entry">
        <p>
          <a href="/collections/${id}"><bdi>${name}</bdi></a>
          <span class="quiet">${t('collection.count', { count: items })}</span>
        </p>
        ${description !== '' && html`<p dir="auto">${description}</p>`}
      </li>`,
  )
  return (
    entries.length > 0 &&
    section(
      'collections',
      t('reports.collections'),
      html`<ul class="entries">
        ${entries}
      </ul>`,
    )
  )
}
