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
  await withCliError(
    reviewTag(database, { moderator: null, isLogged: true }, tag, { ...review, display_name: displayName }),
    'No such hashtag',
  )
  context.print('OK')
}

/** The command that reviews a hashtag. */
export function addTags(program: Command, context: CliContext): void {
  program
    .command('tags')
    .description('manage hashtags')
    .command('modify <name>')
    .description('review a hashtag; options that are not given stay unchanged')
    .option('--display-name <text>', 'the same name in another spelling')
    .option('--usable', 'allow in local posts')
    .option('--no-usable', 'forbid in local posts')
    .option('--trendable', 'allow to trend')
    .option('--no-trendable', 'forbid to trend')
    .option('--listable', 'show in search and suggestions')
    .option('--no-listable', 'hide from search and suggestions')
    .action((name: string, options: ModifyOptions) => modify(context, name, options))
}
