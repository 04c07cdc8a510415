import type { Command } from 'commander'
import { explainMailError, requiresTls } from '../platform/mail/index.ts'
import { composeEmail } from '../platform/mail/messages/index.ts'
import { CliError } from './cli_error.ts'
import type { CliContext } from './cli_context.ts'

/** The mail server of SMTP_URL, without user and password. */
function describeServer(smtpUrl: string): string {
  const { protocol, hostname, port } = new URL(smtpUrl)
  const place = `${hostname}:${port === '' ? (protocol === 'smtps:' ? '465' : '587') : port}`
  if (protocol === 'smtps:') return `${place}, with TLS from the start`
  return `${place}, with TLS ${requiresTls(smtpUrl) ? 'as a condition' : 'if it offers it'}`
}

async function sendTest(context: CliContext, address: string): Promise<void> {
  const services = await context.services()
  const { config, mail } = services
  const recipient = { email: address, username: address, locale: null }
  const email = composeEmail(services, 'mail_test', recipient, config.publicUrl)
  context.print(`From:   ${config.mailFrom}`)
  context.print(`To:     ${address}`)
  context.print(
    `Server: ${config.smtpUrl === undefined ? 'none (SMTP_URL is not set)' : describeServer(config.smtpUrl)}`,
  )
  try {
    const delivery = await mail.send(email)
    context.print('file' in delivery ? `OK, written to ${delivery.file}` : `OK, it was accepted: ${delivery.response}`)
  } catch (error) {
    throw new CliError(`The e-mail was not sent: ${explainMailError(error)}`, { cause: error })
  }
}

/** The command that tests outgoing e-mail. */
export function addMail(program: Command, context: CliContext): void {
  program
    .command('mail')
    .description('test outgoing e-mail')
    .command('test <address>')
    .description('send a test e-mail and print the response of the mail server')
    .action((address: string) => sendTest(context, address))
}
