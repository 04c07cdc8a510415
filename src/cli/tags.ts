import type { Command } from 'commander'
import { normaliseTag } from '../core/text/index.ts'
import { c, query } from '../platform/database/index.ts'
import { findReviewedTag, reviewTag, type TagReview } from '../timelines/tags/index.ts'
import { CliError } from './cli_error.ts'
import type { CliContext } from './cli_context.ts'
import { withCliError } from './with_cli_error.ts'

const findTag = query('cli/find_tag', { name: c.text }, { id: c.id })

interface ModifyOptions extends Omit<TagReview, 'display_name'> {
  displayName?: string
}

async function modify(context: CliContext, name: string, { displayName, ...review }: ModifyOptions): Promise<void> {
  const { database } = await context.services()
  const row = await database.one(findTag, { name: normaliseTag(name.replace(/^#/, '')) })
  const tag = row && (await findReviewedTag(database, row.id))
  if (!tag) throw new CliError('No such hashtag')
  await withCliError(reviewTag(database, null, tag, { ...review, display_name: displayName }), 'No such hashtag')
  context.print('OK')
}

/** Hashtags. */
export function addTags(program: Command, context: CliContext): void {
  program
    .command('tags')
    .description('hashtags')
    .command('modify <name>')
    .description('review a hashtag; what is not given stays as it is')
    .option('--display-name <text>', 'the same name in another spelling')
    .option('--usable', 'local posts may have it')
    .option('--no-usable', 'local posts may not have it')
    .option('--trendable', 'it may trend')
    .option('--no-trendable', 'it may not trend')
    .option('--listable', 'search and suggestions show it')
    .option('--no-listable', 'search and suggestions do not show it')
    .action((name: string, options: ModifyOptions) => modify(context, name, options))
}
