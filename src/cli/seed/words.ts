/**
 * A language of statuses: whole sentences, with `{thing}`, `{place}` and `{time}` as placeholders
 * for words.
 */
export interface Language {
  readonly code: string
  /** The percentage of accounts that write in it. */
  readonly weight: number
  readonly sentences: readonly string[]
  readonly things: readonly string[]
  readonly places: readonly string[]
  readonly times: readonly string[]
}

export const GIVEN_NAMES = (
  'Ada Amara Anouk Aino Bela Bruno Carla Chidi Dara Dilan Edda Elif Emre Esme Farid Femi Gael Greta Hana Hugo Ilse Imani Ines Ivo Jana Jonas ' +
  'Kaja Kenji Lale Leon Lina Luca Maia Malik Mara Mika Nadia Nils Noor Oda Olek Otis Paulo Petra Quinn Rafa Rana Rosa Sami Selma Taro Tilda ' +
  'Uma Uri Vera Viggo Wanda Xenia Yara Yusuf Zola Zora'
).split(' ')

export const FAMILY_NAMES = (
  'Abara Aldric Bakker Barros Berg Castell Cohen Dahl Dubois Ekholm Erdem Faro Fischer Gallo Grant Haddad Holm Ito Jansen Kaya Keller Kovac ' +
  'Lange Lind Lopes Marsh Meyer Mori Nagy Novak Okafor Olsen Osman Park Pereira Prior Quist Ramos Rossi Sato Shah Silva Sorel Stone Tamm Tran ' +
  'Ueda Ulrich Vance Vega Voss Weber Wolf Xu Yilmaz Young Zeman Zhou'
).split(' ')

export const TOPICS = [
  'bread', 'bicycles', 'birds', 'old maps', 'type design', 'night trains', 'compilers', 'allotments', 'tide tables', 'board games', 'chess',
  'choir music', 'climbing', 'databases', 'documentary film', 'ferries', 'fermentation', 'film cameras', 'folk tales', 'fungi', 'ham radio',
  'knitting', 'lichens', 'lighthouses', 'local history', 'mending', 'mountain huts', 'open data', 'pottery', 'public libraries', 'science fiction',
  'small ships', 'soil', 'stop motion', 'street trees', 'synthesizers', 'tea', 'translation', 'urban planning', 'weather', 'woodwork', 'zines',
] as const // prettier-ignore

/** The spellings of the most common hashtags; rarer ones combine two of these. */
export const TAG_WORDS = [
  'Introduction', 'Photography', 'Caturday', 'Books', 'Baking', 'Cycling', 'Birds', 'Maps', 'Gardening', 'OpenSource', 'Music', 'Trains', 'Art',
  'Science', 'History', 'Politics', 'Climate', 'Linux', 'Games', 'Film', 'Poetry', 'Hiking', 'Moss', 'Rust', 'TypeScript', 'Postgres', 'Running',
  'Football', 'Knitting', 'Pottery', 'Coffee', 'Tea', 'Weather', 'Space', 'Language', 'Education', 'Health', 'Libraries', 'Radio', 'Cities',
] as const // prettier-ignore

export const WARNINGS = [
  'food',
  'politics',
  'spoilers',
  'health',
  'long',
  'work',
  'flashing lights',
  'mental health',
] as const

export const LANGUAGES: readonly Language[] = [
  {
    code: 'en',
    weight: 58,
    sentences: [
      '{thing} near {place}: worth getting up for.',
      'Spent {time} with {thing} and regret nothing.',
      'Does anybody here know a good book about {thing}?',
      'I keep coming back to {thing}, whatever the question was.',
      'Nobody warned me about {thing} in {place}.',
      '{time}: {thing}, finally.',
      'We walked to {place} and talked about {thing} all the way back.',
      'It turns out that {thing} needs more patience than I have.',
      'A stranger in {place} explained {thing} to me, with drawings.',
      'Small victory of {time}: {thing} works again.',
      'If you have ten minutes, go and look at {thing}.',
      'The rain stopped just as we reached {place}.',
      'I would like a quiet evening, {thing} and no meetings.',
      'What I learned {time}: ask before you repair somebody else\u2019s {thing}.',
      'Still thinking about {place}.',
      'My neighbour has opinions on {thing}. Many.',
      'Reading about {thing} until the train arrives.',
      'There is a small museum of {thing} in {place}, and it is open.',
      'Thank you all for the answers about {thing}! I have a list now.',
      'Note to self: never carry {thing} on a bicycle.',
      'The light over {place} was unreal {time}.',
      'Tried to fix {thing}. Now there are two of them.',
    ],
    things: [
      'the old kettle', 'sourdough', 'the parser', 'a box of slides', 'the allotment', 'index scans', 'the bus timetable', 'a borrowed cello',
      'the tide table', 'typography', 'the left pedal', 'a very long poem', 'the heat pump', 'tomato plants', 'release notes', 'the night train',
      'a jar of plums', 'the choir', 'unicode', 'the swift nest', 'the darkroom', 'my grandmother\u2019s recipe', 'static types', 'a wool jumper',
    ], // prettier-ignore
    places: [
      'the harbour', 'Ghent', 'the library', 'the upper lake', 'Lisbon', 'the station', 'the north ridge', 'Tallinn', 'the market', 'the island',
      'Oaxaca', 'the canal', 'Leeds', 'the botanical garden', 'Nairobi', 'the old mill',
    ], // prettier-ignore
    times: [
      'this morning',
      'last night',
      'the weekend',
      'Tuesday',
      'the whole afternoon',
      'today',
      'the first day of autumn',
    ],
  },
  {
    code: 'de',
    weight: 12,
    sentences: [
      'Endlich wieder {thing}.',
      'Kennt hier jemand ein gutes Buch über {thing}?',
      '{time} in {place}: niemand da, nur wir und das Wetter.',
      'Ich wollte nur kurz {thing} reparieren. Das war {time}.',
      'Der Zug nach {place} fährt heute nicht, dafür gibt es {thing}.',
      'Heute gelernt: {thing} braucht Geduld.',
      'Wer in {place} ist, sollte sich {thing} ansehen.',
      'So, {thing} ist fertig. Jetzt Tee.',
    ],
    things: ['der Apfelkuchen', 'das Fahrrad', 'die alte Karte', 'der Chor', 'die Datenbank', 'das Moor', 'der Garten'],
    places: ['Leipzig', 'der Bibliothek', 'Graz', 'am See', 'Husum', 'dem Hinterhof'],
    times: ['gestern', 'heute früh', 'am Wochenende', 'um Mitternacht'],
  },
  {
    code: 'fr',
    weight: 8,
    sentences: [
      'Enfin {thing}, après tant d\u2019années.',
      'Quelqu\u2019un connaît un bon livre sur {thing} ?',
      'On a marché jusqu\u2019à {place} et il a plu tout le long.',
      '{time}, {thing} et rien d\u2019autre.',
      'À {place}, un inconnu m\u2019a expliqué {thing}.',
      'Petite victoire : {thing} fonctionne de nouveau.',
      'Je pense encore à {place}.',
    ],
    things: [
      'le jardin',
      'la chorale',
      'le vélo de mon père',
      'une vieille carte',
      'le pain',
      'la marée',
      'le train de nuit',
    ],
    places: ['Nantes', 'la bibliothèque', 'Liège', 'l\u2019île', 'la gare', 'Dakar'],
    times: ['ce matin', 'hier soir', 'dimanche', 'toute la journée'],
  },
  {
    code: 'es',
    weight: 8,
    sentences: [
      'Por fin {thing}.',
      '¿Alguien conoce un buen libro sobre {thing}?',
      'Caminamos hasta {place} hablando de {thing}.',
      '{time} en {place}: nadie, solo el viento.',
      'Hoy aprendí que {thing} necesita paciencia.',
      'Pequeña victoria: {thing} funciona otra vez.',
      'Sigo pensando en {place}.',
    ],
    things: ['el huerto', 'la bicicleta', 'el coro', 'un mapa antiguo', 'el pan', 'la marea', 'el tren nocturno'],
    places: ['Oviedo', 'la biblioteca', 'Cuenca', 'el puerto', 'Montevideo', 'la isla'],
    times: ['esta mañana', 'anoche', 'el domingo', 'toda la tarde'],
  },
  {
    code: 'pt',
    weight: 5,
    sentences: [
      'Finalmente {thing}.',
      'Alguém conhece um bom livro sobre {thing}?',
      'Fomos a pé até {place}, sempre a falar de {thing}.',
      '{time}: {thing} e mais nada.',
      'Ainda penso em {place}.',
      'Hoje {thing} voltou a funcionar.',
    ],
    things: ['a horta', 'a bicicleta', 'o coro', 'um mapa antigo', 'o pão', 'a maré'],
    places: ['Braga', 'a biblioteca', 'Recife', 'o porto', 'a ilha'],
    times: ['hoje de manhã', 'ontem à noite', 'domingo', 'a tarde toda'],
  },
  {
    code: 'ja',
    weight: 9,
    sentences: [
      '{time}は{place}まで歩きました。',
      '{thing}がやっと直りました。',
      '{thing}についての良い本を知っている人はいますか。',
      '{place}の{thing}、また見に行きたいです。',
      '今日は{thing}だけで満足です。',
      '雨がやんだので{place}へ。',
    ],
    things: ['古い地図', '自転車', '夜行列車', '庭', 'パン', '合唱', '湯のみ'],
    places: ['港', '図書館', '金沢', '植物園', '島', '駅前'],
    times: ['朝', '昨夜', '日曜日', '夕方'],
  },
]
