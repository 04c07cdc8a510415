import { readFile } from 'node:fs/promises'
import { Argument, type Command } from 'commander'
import { Failure } from '../core/errors.ts'
import { removeSitePicture, SITE_PICTURES, storeSitePicture, type SitePictureName } from '../instance/index.ts'
import { Refusal } from './cli_error.ts'
import type { Session } from './cli_context.ts'

async function set(session: Session, name: SitePictureName, file: string): Promise<void> {
  const bytes = await readFile(file).catch((error: unknown) => {
    throw new Refusal(`${file} cannot be read`, { cause: error })
  })
  const services = await session.services()
  try {
    await storeSitePicture(services, name, bytes)
  } catch (error) {
    if (error instanceof Failure) throw error
    throw new Refusal('The picture cannot be used', { cause: error })
  }
  session.say('OK')
}

async function reset(session: Session, name: SitePictureName): Promise<void> {
  if (!(await removeSitePicture(await session.services(), name))) throw new Refusal('It is the built-in one')
  session.say('OK')
}

/** The pictures that the server shows of itself. */
export function addPictures(program: Command, session: Session): void {
  const group = program.command('pictures').description('what the server looks like')
  const name = (): Argument => new Argument('<name>', 'which picture').choices(SITE_PICTURES)
  group
    .command('set')
    .addArgument(name())
    .argument('<file>', 'a picture of any common format')
    .description('put a picture in the place of the built-in one')
    .action((which: SitePictureName, file: string) => set(session, which, file))
  group
    .command('reset')
    .addArgument(name())
    .description('show the built-in one again')
    .action((which: SitePictureName) => reset(session, which))
}
