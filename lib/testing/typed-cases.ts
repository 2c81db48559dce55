/**
 * What people type or paste, and what it means, for the API, the old API, the checkout and the pages alike
 * (`app/typed.test.ts` sends each case on every way of its kind). All of it is invented. A case of another field is a row
 * here; a new kind is also a set of ways there.
 */
export type TypedCase = {
  /** What is typed or pasted. */
  typed: string;
  /** As what it is kept; null where it is refused. */
  means: string | null;
  /** As what it is kept where programs send it, if that is another. */
  sent?: string;
  why: string;
};

const many = (means: string, texts: Record<string, string>): TypedCase[] =>
  Object.entries(texts).map(([why, typed]) => ({ typed, means, why }));

const none = (texts: Record<string, string>): TypedCase[] =>
  Object.entries(texts).map(([why, typed]) => ({ typed, means: null, why }));

/** Texts that programs may send as they are, and that people are asked to correct. */
const sent = (texts: Record<string, string>): TypedCase[] =>
  Object.entries(texts).map(([why, typed]) => ({ typed, means: null, sent: typed, why }));

/** A text with a sign between each two of its signs. */
const spread = (text: string, sign: string) => [...text].join(sign);

/** The same digits as East Asian keyboards type them. */
const fullWidth = (text: string) =>
  text.replace(/\d/g, (digit) => String.fromCharCode(digit.charCodeAt(0) + 0xff10 - 0x30));

export const typedCases = {
  phone: [
    ...many("11987654321", {
      "digits alone": "11987654321",
      "with its marks": "(11) 98765-4321",
      "with dots": "11.98765.4321",
      "with the country": "+55 11 98765-4321",
      "with the country, without plus": "55 11 98765-4321",
      "with the country as it is dialled from abroad": "0055 11 98765-4321",
      "with a trunk zero": "011 98765-4321",
      "with a trunk zero in parentheses": "(011) 98765-4321",
      "with a trunk zero after the country": "+55 (0)11 98765-4321",
      "with a trunk zero after the country, without plus": "55 011 98765-4321",
      "with a carrier's code": "0 15 11 98765-4321",
      "with a carrier's code and no space": "0151198765-4321",
      "with a place for a carrier's code": "(0xx11) 98765-4321",
      "from a right-to-left contact": "\u202a+55 11 98765\u20114321\u202c",
      "in isolates, as a chat sends it": "\u2068(11) 98765-4321\u2069",
      "with a byte order mark": "\ufeff11987654321",
      "with a word joiner between its digits": spread("11987654321", "\u2060"),
      "with unbreakable spaces and hyphens": "(11)\u00a098765\u20114321",
      "with an en dash and a thin space": "11\u200998765\u20134321",
      "with a minus": "11 98765\u22124321",
      "in full-width digits and marks": "（１１）９８７６５－４３２１",
      "with variation selectors": "11\ufe0f98765\ufe0f4321",
    }),
    ...many("1133334444", {
      "a fixed line": "(11) 3333-4444",
      "a fixed line with a trunk zero": "011 3333-4444",
      "a fixed line with a carrier's code": "0 21 11 3333-4444",
      "a fixed line with the country": "551133334444",
    }),
    ...many("55987654321", {
      "the area code 55, which is no country": "55 98765-4321",
      "the area code 55 after the country": "+55 55 98765-4321",
    }),
    ...many("1187654321", { "a mobile number of before the ninth digit": "11 8765-4321" }),
    ...many("+14155552671", { "of another country": "+1 (415) 555-2671" }),
    ...many("+351912345678", {
      "of another country, as it is dialled": "00351 912 345 678",
      "of another country, as it is dialled, with its marks": "(00351) 912-345.678",
    }),
    ...many("+447911123456", { "of another country, dialled without a space": "00447911123456" }),
    ...many("+442079460958", { "of another country, with its trunk zero": "+44 (0)20 7946 0958" }),
    ...sent({
      "plain digits with an area code that does not exist": "2098765432",
      "eleven plain digits with an area code that does not exist": "20987654321",
      "plain digits of a toll-free number": "08001234567",
    }),
    ...none({
      "an area code that does not exist": "(20) 98765-4321",
      "an area code that does not exist, with the country": "+55 23 98765-4321",
      "toll-free": "0800 123 4567",
      "toll-free without its zero": "800 123 4567",
      "a national number without an area code": "4004-1234",
      "without an area code": "98765-4321",
      "of before the ninth digit, without an area code": "8765-4321",
      "with the country, without an area code": "+55 98765-4321",
      "with a trunk zero, without an area code": "0 98765-4321",
      "a digit too many": "(11) 98765-43210",
      "two numbers": "11 98765-4321 / 11 98765-4322",
      "of another country, without plus": "442079460958",
      "of another country, too short": "+1 23",
      "of another country, too short, as it is dialled": "001 23",
      "a country that begins with zero": "00 055 11 98765-4321",
      "a letter that looks like a zero": "11 98765-432О",
      "digits of another alphabet": "١١٩٨٧٦٥٤٣٢١",
      "with an extension": "(11) 3333-4444 ramal 2",
    }),
  ],
  document: [
    ...many("52998224725", {
      "digits alone": "52998224725",
      "with its marks": "529.982.247-25",
      "with blanks around": "\t529.982.247-25 \n",
      "with an unbreakable hyphen": "529.982.247\u201125",
      "with an invisible mark": "529.982.247\u200b-25",
      "with marks of direction": "\u200e52998224725\u200f",
      "in full-width digits": fullWidth("529.982.247-25"),
    }),
    ...many("11222333000181", {
      "a CNPJ with its marks": "11.222.333/0001-81",
      "a CNPJ with a figure dash": "11.222.333/0001\u201281",
    }),
    ...many("12ABC34501DE35", {
      "a CNPJ of letters": "12.ABC.345/01DE-35",
      "a CNPJ of small letters": "12abc34501de35",
      "a CNPJ with full-width letters": "12ＡＢＣ34501ＤＥ35",
    }),
    ...none({
      "a wrong check digit": "529.982.247-24",
      "a digit too many": "529.982.247-255",
      "a letter that looks like a zero": "11.222.333/ООО1-81",
      "a letter that looks like an A": "12АBC34501DE35",
      "digits of another alphabet": "٥٢٩٩٨٢٢٤٧٢٥",
    }),
  ],
  postal_code: [
    ...many("01310100", {
      "digits alone": "01310100",
      "with its dash": "01310-100",
      "with a dot too": "01.310-100",
      "with an en dash": "01310\u2013100",
      "with its name": "CEP: 01310-100",
      "with an invisible mark": "01310\u200d100",
      "in full-width digits": fullWidth("01310-100"),
    }),
    ...none({
      "a digit too few": "0131010",
      "a digit too many": "01310-1000",
      "a letter that looks like a zero": "0131О-100",
      "a letter beside its digits": "01310-100а",
    }),
  ],
  state: [
    ...many("SP", {
      "its letters": "SP",
      "in small letters": " sp ",
      "its name": "São Paulo",
      "its name in capitals, without accents": "SAO PAULO",
      "its name with the accent as a sign of its own": "Sa\u0303o Paulo",
      "with the country, as browsers fill it in": "BR-SP",
      "with what it is": "Estado de São Paulo",
      "with an unbreakable space": "São\u00a0Paulo",
    }),
    ...many("DF", { "the Federal District": "Distrito Federal" }),
    ...many("MS", { "a name that begins like another": "mato grosso do sul" }),
    ...many("RN", { "the longest name": "Rio Grande do Norte" }),
    ...many("ES", { "an accent on a capital": "ESPÍRITO SANTO" }),
    ...many("GO", { "without its accent": "goias" }),
    ...none({
      "letters of no state": "XX",
      "another country's state": "California",
      "letters of another alphabet": "ЅР",
    }),
  ],
  email: [
    ...many("bar&cia@example.com", {
      "an ampersand": "bar&cia@example.com",
      capitals: "Bar&Cia@Example.COM",
      "blanks around": " bar&cia@example.com\u00a0\n",
      "an invisible mark": "\ufeffbar&cia@\u200bexample.com",
    }),
    ...many("d'ávila@example.com".replace("á", "a"), { "an apostrophe": "d'avila@example.com" }),
    ...many("a!#$%*+-/=?^_`{|}~b@example.com", { "every sign of an atom": "a!#$%*+-/=?^_`{|}~b@example.com" }),
    ...many("ana@xn--aa-4iaz.com.br", {
      "an international domain": "ana@açaí.com.br",
      "an international domain in capitals": "ana@AÇAÍ.com.br",
      "an international domain as it is looked up": "ana@xn--aa-4iaz.com.br",
    }),
    ...many(`${"a".repeat(64)}@example.com`, { "64 signs before the @": `${"a".repeat(64)}@example.com` }),
    ...none({
      "65 signs before the @": `${"a".repeat(65)}@example.com`,
      "two dots": "ana..souza@example.com",
      "a dot at the end of its local part": "ana.@example.com",
      "a dot at its beginning": ".ana@example.com",
      "no domain": "ana@",
      "a domain of one label": "ana@localhost",
      "a label that ends with a hyphen": "ana@example-.com",
      "a label of 64 signs": `ana@${"a".repeat(64)}.com`,
      "a number as its domain": "ana@192.168.0.1",
      "a number in brackets": "ana@[192.168.0.1]",
      "two of them": "ana@example.com,bia@example.com",
      "two @": "ana@souza@example.com",
      "a blank inside": "ana souza@example.com",
      "accents before the @": "josé@example.com",
      "a letter that looks like a K": "\u212aarl@example.com",
      "a path behind the domain": "ana@example.com/x",
      "a port behind the domain": "ana@example.com:25",
    }),
  ],
  amount: [
    ...many("19.90", {
      "a decimal text": "19.90",
      "one decimal": "19.9",
      "blanks around": " 19.90\u00a0",
      "an invisible mark": "\u200e19.90",
      "full-width digits": "１９．９０",
    }),
    ...none({
      "a comma": "19,90",
      "three decimals": "19.905",
      nothing: "0.00",
      "a minus": "\u22125.00",
      "a letter that looks like a zero": "19.9О",
      "above the largest amount": "10000000000.00",
      "an exponent": "1e3",
    }),
  ],
  pasted_amount: [
    ...many("1234.56", {
      "as we write it": "R$\u00a01.234,56",
      "as a spreadsheet writes it": "1234,56",
      "as English writes it": "1,234.56",
      "with thin spaces": "1\u202f234,56",
      "with invisible marks": "\u202a1.234,56\u202c",
      "in full-width digits": fullWidth("1.234,56"),
      "at the end of a sentence": "R$ 1.234,56.",
    }),
    ...none({
      "four decimals": "1234.5600",
      "three decimals": "0,500",
      "a minus": "\u22121.234,56",
      "a letter that looks like a zero": "1О,00",
      words: "dez reais",
    }),
  ],
  card_number: [
    ...many("4111111111111111", {
      "digits alone": "4111111111111111",
      "in groups": "4111 1111 1111 1111",
      "with dashes and dots": "4111-1111.1111-1111",
      "with dots": "4111.1111.1111.1111",
      "with slashes": "4111/1111/1111/1111",
      "with parentheses": "(4111)1111 1111 1111",
      "with parentheses and spaces": "4111 (1111) 1111 (1111)",
      "with two spaces": "4111  1111  1111  1111",
      "with a dot and a space": "4111. 1111. 1111. 1111",
      "with a dot between all digits": spread("4111111111111111", "."),
      "with two spaces between all digits": spread("4111111111111111", "  "),
      "with unbreakable spaces": "4111\u00a01111\u202f1111\u20071111",
      "with unbreakable hyphens": "4111\u20111111\u20111111\u20111111",
      "with invisible marks": "\u20664111111111111111\u2069",
      "in full-width digits": fullWidth("4111111111111111"),
    }),
    ...many("378282246310005", { "an American Express in its own groups": "3782 822463 10005" }),
    ...many("30569309025904", { "a Diners Club with dots": "3056.9309.0259.04" }),
    ...none({
      "a wrong check digit": "4111 1111 1111 1112",
      "a letter that looks like a one": "4111 1111 1111 111l",
      "a letter beside its digits": "4111 1111 1111 1111а",
      "more digits than any card": "4111 1111 1111 1111 1111",
      "digits of another alphabet": "٤١١١١١١١١١١١١١١١",
    }),
  ],
  card_expiry: [
    ...many("12/2035", {
      "as it is printed": "12/35",
      "with a whole year": "12/2035",
      "digits alone": "1235",
      "digits of a whole year": "122035",
      "in full-width digits": fullWidth("12/35"),
    }),
    ...many("05/2035", { "a month of one digit": "5/35" }),
    ...none({ "no such month": "13/35", "a month alone": "12", "a month that is over": "12/20" }),
  ],
  card_code: [
    ...many("123", {
      "digits alone": "123",
      "with blanks": " 123 ",
      "with an invisible mark": "1\u200b23",
      "in full-width digits": fullWidth("123"),
    }),
    ...none({ "two digits": "12", "five digits": "12345", "a letter that looks like a zero": "12О" }),
  ],
} satisfies Record<string, TypedCase[]>;
