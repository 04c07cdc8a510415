import { Argument, type Command, type Option } from 'commander'
import type { CliContext } from './cli_context.ts'

/** A command with its path in the tree: `accounts create`, or empty for the program. */
interface CommandPath {
  readonly path: string
  readonly command: Command
}

const isShown = (option: Option): boolean => !option.hidden && option.long !== undefined && option.long !== null

function listCommands(command: Command, path = ''): CommandPath[] {
  const subcommands = command.commands.flatMap(child =>
    [child.name(), ...child.aliases()].flatMap(name => listCommands(child, path === '' ? name : `${path} ${name}`)),
  )
  return [{ path, command }, ...subcommands]
}

/** The words that may follow a command: subcommands, choices of arguments, and options. */
function listWords({ command, path }: CommandPath): string[] {
  const options = command.options.filter(isShown).map(({ long }) => long ?? '')
  const choices = command.registeredArguments.flatMap(argument => argument.argChoices ?? [])
  const help = path === '' ? ['help', '--help'] : ['--help']
  return [...command.commands.map(child => child.name()), ...choices, ...options, ...help]
}

/**
 * The branches of a shell `case` on the option before the cursor, each printing its known values.
 */
function listValues({ command, path }: CommandPath): string[] {
  return command.options
    .filter(option => option.required || option.optional)
    .map(({ short, long, argChoices = [] }) => {
      const names = [short, long].filter(name => name !== undefined && name !== null)
      return `    ${names.map(name => `'${path} ${name}'`).join(' | ')}) echo '${argChoices.join(' ')}' ;;`
    })
}

/**
 * Functions for any shell with `local`: `_millrace_suggest` prints the words that may follow those
 * before the cursor. It finds the path in the tree of commands word by word; other words are
 * arguments.
 */
function suggestionFunctions(program: Command): string {
  const all = listCommands(program)
  return `_millrace_words() {
  case "$1" in
${all.map(commandPath => `    '${commandPath.path}') echo '${listWords(commandPath).join(' ')}' ;;`).join('\n')}
  esac
}

_millrace_values() {
  case "$1 $2" in
${all.flatMap(listValues).join('\n')}
    *) return 1 ;;
  esac
}

_millrace_suggest() {
  local place='' last='' word found
  for word in "$@"; do
    last=$word
    case $word in -*) continue ;; esac
    found=$place
    [ -n "$place" ] && found="$place "
    [ -n "$(_millrace_words "$found$word")" ] && place=$found$word
  done
  _millrace_values "$place" "$last" || _millrace_words "$place"
}
`
}

const BASH = `
_millrace() {
  local current=\${COMP_WORDS[COMP_CWORD]} word words=''
  for word in $(_millrace_suggest "\${COMP_WORDS[@]:1:COMP_CWORD-1}"); do
    [[ $word == -* && $current != -* ]] || words="$words $word"
  done
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}
complete -o default -F _millrace millrace
`

const ZSH = `
_millrace() {
  local word
  local -a found
  for word in \${=$(_millrace_suggest "\${(@)words[2,CURRENT-1]}")}; do
    [[ $word == -* && $PREFIX != -* ]] || found+=("$word")
  done
  (( $#found )) && compadd -- $found || _files
}
if [ "$funcstack[1]" = _millrace ]; then _millrace "$@"; else compdef _millrace millrace; fi
`

const SHELLS = ['bash', 'zsh'] as const

/** The script that completes the command \`millrace\` in a shell. */
export const completionScript = (shell: (typeof SHELLS)[number], program: Command): string =>
  shell === 'bash'
    ? `# Completion of millrace for bash.\n${suggestionFunctions(program)}${BASH}`
    : `#compdef millrace\n${suggestionFunctions(program)}${ZSH}`

/** The command that prints the completion script of a shell. */
export function addCompletion(program: Command, context: CliContext): void {
  program
    .command('completion')
    .addArgument(new Argument('<shell>').choices(SHELLS))
    .description('print a completion script for a shell; for bash: source <(millrace completion bash)')
    .action((shell: (typeof SHELLS)[number]) => context.print(completionScript(shell, program).trimEnd()))
}
