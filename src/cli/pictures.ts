import { readFile } from 'node:fs/promises'
import { Argument, type Command } from 'commander'
import {
  removeSitePicture,
  SITE_PICTURES,
  storeSitePicture,
  UnreadablePicture,
  type SitePictureName,
} from '../instance/index.ts'
import { CliError } from './cli_error.ts'
import type { CliContext } from './cli_context.ts'

async function set(context: CliContext, name: SitePictureName, file: string): Promise<void> {
  const bytes = await readFile(file).catch((error: unknown) => {
    throw new CliError(`${file} cannot be read`, { cause: error })
  })
  const services = await context.services()
  try {
    await storeSitePicture(services, name, bytes, null)
  } catch (error) {
    if (!(error instanceof UnreadablePicture)) throw error
    throw new CliError(error.message, { cause: error })
  }
  context.print('OK')
}

async function reset(context: CliContext, name: SitePictureName): Promise<void> {
  if (!(await removeSitePicture(await context.services(), name, null)))
    throw new CliError('The picture is already the built-in one')
  context.print('OK')
}

/** The commands on the server's own pictures. */
export function addPictures(program: Command, context: CliContext): void {
  const group = program.command('pictures').description("manage the server's own pictures")
  const name = (): Argument => new Argument('<name>', 'picture').choices(SITE_PICTURES)
  group
    .command('set')
    .addArgument(name())
    .argument('<file>', 'image of any common format')
    .description('replace a built-in picture')
    .action((which: SitePictureName, file: string) => set(context, which, file))
  group
    .command('reset')
    .addArgument(name())
    .description('reset a picture to the built-in one')
    .action((which: SitePictureName) => reset(context, which))
}
