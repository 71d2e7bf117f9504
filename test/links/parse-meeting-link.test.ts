/** Finds the join link in texts of people and calendars. */
import fc from "fast-check";
import MarkdownIt from "markdown-it";
import { parseMeetingLink } from "notetaker-sdk";
import { createEmulator } from "notetaker-sdk/testing";
import { describe, expect, it } from "vitest";
import { decodeText } from "../../src/links/decode-text.js";
import { clientOf, json } from "../support/recorder.js";

const ZOOM = "https://us02web.zoom.us/j/85412345678?pwd=QmFzZTY0Pw.1";
const MEET = "https://meet.google.com/abc-defg-hij";
const TEAMS =
  "https://teams.microsoft.com/l/meetup-join/19%3ameeting_NjA5%40thread.v2/0?context=%7b%22Tid%22%3a%221%22%2c%22Oid%22%3a%222%22%7d";
const WEBEX = "https://acme.webex.com/acme/j.php?MTID=m1234567890abcdef";
const encoded = (link: string) => encodeURIComponent(link);
const safeLink = (link: string) =>
  `https://eur01.safelinks.protection.outlook.com/ap/t-59584e83/?url=${encoded(link)}&data=05%7C01&reserved=0`;

const brokenAt = (link: string, at: number, lineBreak: string) => link.slice(0, at) + lineBreak + link.slice(at);

/** By its host. */
const serviceOf = (url: string) =>
  /meet\.google/i.test(url)
    ? "google_meet"
    : /^(?:https:\/\/)?[\w.-]*?(zoom|teams|webex)/i.exec(url)?.[1]?.toLowerCase();

const FOUND: readonly (readonly [what: string, text: string, url: string])[] = [
  [
    "an English Zoom invitation",
    `Ada Lovelace is inviting you to a scheduled Zoom meeting.\n\nJoin Zoom Meeting\n${ZOOM}\n\nMeeting ID: 854 1234 5678\nPasscode: 123456\nFind your local number: https://us02web.zoom.us/u/kdXyz\n`,
    ZOOM,
  ],
  [
    "a German Teams invitation whose first links are options and help",
    `Microsoft Teams-Besprechung\nHilfe: https://aka.ms/JoinTeamsMeeting?omkt=de-DE | Besprechungsoptionen: https://teams.microsoft.com/meetingOptions/?organizerId=1\nNehmen Sie per Computer teil: <${TEAMS}>\nEinwahlnummern suchen: https://dialin.teams.microsoft.com/1b2c?id=5`,
    TEAMS,
  ],
  [
    "a French Meet entry whose first link is the telephone page",
    `Participer par téléphone : https://tel.meet/abc-defg-hij?pin=123456\nRejoindre avec Google Meet : ${MEET}.\nEn savoir plus : https://support.google.com/a/users/answer/9282720`,
    MEET,
  ],
  [
    "a Japanese Webex entry without spaces around the link",
    `会議に参加：${WEBEX}、会議番号は 2345 です。グローバルコールイン番号：https://acme.webex.com/acme/globalcallin.php?MTID=m1`,
    WEBEX,
  ],
  ["a link in parentheses", `Call (${MEET}), please`, MEET],
  ["a Markdown link", `[Join](${ZOOM}) now`, ZOOM],
  ["HTML", `<p>Join: <a href="${TEAMS}">here</a></p>`, TEAMS],
  [
    "HTML with entities",
    `<a href="https://zoom.us/j/123456789?pwd=a&amp;uname=b">x</a>`,
    "https://zoom.us/j/123456789?pwd=a&uname=b",
  ],
  [
    "HTML that was escaped twice",
    "&lt;a href=&quot;https://zoom.us/j/123456789?pwd=a&amp;amp;x=1&quot;&gt;x&lt;/a&gt;",
    "https://zoom.us/j/123456789?pwd=a&x=1",
  ],
  ["Outlook's SafeLinks", `Join: ${safeLink(TEAMS)}`, TEAMS],
  ["SafeLinks in HTML", `<a href="${safeLink(ZOOM).replaceAll("&", "&amp;")}">`, ZOOM],
  ["Google's redirect", `https://www.google.com/url?q=${encoded(MEET)}&sa=D&source=calendar`, MEET],
  ["Google's redirect around SafeLinks", `https://www.google.com/url?q=${encoded(safeLink(ZOOM))}&sa=D`, ZOOM],
  ["a redirect that is not encoded", `https://www.google.com/url?q=${MEET}`, MEET],
  [
    "a redirect that is not encoded, with other parameters",
    `https://www.google.com/url?q=${MEET}&amp;sa=D&amp;source=calendar`,
    MEET,
  ],
  [
    "a redirect that is partly encoded",
    "https://www.google.com/url?sa=D&amp;q=https://us02web.zoom.us/j/123456789?pwd%3Dabc&amp;usg=AOv",
    "https://us02web.zoom.us/j/123456789?pwd=abc",
  ],
  ["a link without its scheme", "Join at meet.google.com/abc-defg-hij?hs=122 today", `${MEET}?hs=122`],
  ["a personal room without its scheme", "acme.webex.com/meet/ada.love", "https://acme.webex.com/meet/ada.love"],
  ["several links (the first one)", `${MEET}\n${ZOOM}\n${WEBEX}`, MEET],
  [
    "a calendar file with folded lines",
    `BEGIN:VCALENDAR\r\nBEGIN:VEVENT\r\nDESCRIPTION:Join https://teams.microsoft.com/l/meetup-join/19%3ameeti\r\n ng_NjA5%40thread.v2/0?context=1\\n\\nBye\r\nEND:VEVENT\r\n`,
    "https://teams.microsoft.com/l/meetup-join/19%3ameeting_NjA5%40thread.v2/0?context=1",
  ],
  // Decoded before it is cut.
  ["a Markdown link whose text is the link", `[${TEAMS}](${TEAMS})`, TEAMS],
  ["a Markdown link whose text is cut", `[${TEAMS.slice(0, 60)}...](${TEAMS})`, TEAMS],
  ["the same with an ellipsis", `${TEAMS.slice(0, 60)}&hellip; <${TEAMS}>`, TEAMS],
  ["bold Markdown", `**${MEET}** and _${ZOOM}_`, MEET],
  ["an entity in a parameter", "https://zoom.us/j/123456789?pwd&#x3D;a&#46;1", "https://zoom.us/j/123456789?pwd=a.1"],
  [
    "an entity for each punctuation mark",
    "https&colon;&sol;&sol;zoom&period;us&sol;j&sol;123456789&quest;pwd&equals;a&lowbar;b&nbsp;&eacute;",
    "https://zoom.us/j/123456789?pwd=a_b",
  ],
  ["an escaped Markdown link", "acme.webex.com/meet/ada\\_lovelace", "https://acme.webex.com/meet/ada_lovelace"],
  ["JSON", '{"join":"https:\\/\\/zoom.us\\/j\\/123456789?p=a\\u0026x=1"}', "https://zoom.us/j/123456789?p=a&x=1"],
  [
    "a line of a calendar file",
    "DESCRIPTION:Join\\, please: https://zoom.us/j/123456789?pwd=a\\;b\\nMeeting ID: 123",
    "https://zoom.us/j/123456789?pwd=a;b",
  ],
  ["angle brackets over two lines", `Join <${brokenAt(TEAMS, 70, "\n")}> now`, TEAMS],
  ["escaped angle brackets over two lines", `&lt;${brokenAt(TEAMS, 40, "\r\n  ")}&gt;`, TEAMS],
  ["a link of a chat", `<${MEET}|Join now>`, MEET],
  ["a list without spaces", `${MEET},${ZOOM}`, MEET],
  // The links that mail programs put in place of others.
  ...["outlook.com", "office365.us", "partner.outlook.cn", "outlook.de"].map(
    (cloud) => [`SafeLinks of ${cloud}`, safeLink(TEAMS).replace("outlook.com", cloud), TEAMS] as const,
  ),
  [
    "SafeLinks of Teams",
    `https://statics.teams.cdn.office.net/evergreen-assets/safelinks/1/atp-safelinks.html?url=${encoded(TEAMS)}&locale=en`,
    TEAMS,
  ],
];

/** Rarer paths, and the hosts that the specification names and that the services also use. */
const AS_WRITTEN: readonly string[] = [
  "https://teams.microsoft.com/_#/l/meetup-join/19:meeting_x@thread.v2/0?context=%7b%7d",
  "https://teams.microsoft.com/v2/?meetingjoin=true#/l/meetup-join/19:meeting_x@thread.v2/0",
  'https://teams.microsoft.com/l/meetup-join/19:meeting_x@thread.v2/0?context={"Tid":"1","Oid":"2"}',
  "https://teams.cloud.microsoft/meet/2345678901?p=abc",
  "https://teams.microsoft.com.mcas.ms/l/meetup-join/19%3ameeting_x%40thread.v2/0",
  "https://acme.webex.com/acme/onstage/g.php?MTID=e1",
  "https://acme.webex.com/webappng/sites/acme/webinar/x",
  "https://acme.webex.com/weblink/register/r0b7834a679fdc79b",
  "https://acme.webex.com/wbxmjs/joinservice/sites/acme/meeting/download/1",
  "https://meet.google.com/_meet/abc-defg-hij",
  "https://zoom.us/my/ada.lovelace",
  "https://acme.zoom.us/w/85412345678?tk=x",
  "HTTPS://ZOOM.US/j/85412345678",
];
const WITHOUT_SCHEME: readonly string[] = [
  "zoom.us/j/85412345678",
  "acme.zoom.com/j/85412345678",
  "zoomgov.com/j/85412345678",
  "acme.zoom.com.cn/j/85412345678",
  "meet.google.com/abc-defg-hij",
  "teams.microsoft.com/l/meetup-join/x",
  "teams.live.com/meet/9312345678901",
  "teams.microsoft.us/l/meetup-join/x",
  "teams.cloud.microsoft/meet/2345678901",
  "acme.webex.com/join/ada",
];

const NOT_FOUND: readonly string[] = [
  "",
  "no link at all",
  "https://zoom.us/",
  "https://zoom.us/u/abc",
  "https://support.zoom.us/j/123",
  "https://zoom.us/rec/share/abc",
  "https://meet.google.com/",
  "https://meet.google.com/landing",
  "https://tel.meet/abc-defg-hij",
  "https://dialin.teams.microsoft.com/l/meetup-join/x",
  "https://teams.microsoft.com/meetingOptions/?organizerId=1",
  "https://teams.microsoft.com/l/channel/19%3a",
  "https://acme.webex.com/acme/globalcallin.php?MTID=m1",
  "https://help.webex.com/meet/x",
  "https://zoom.us.evil.example/j/123456",
  "https://evil.example/?u=https%3A%2F%2Fzoom.us%2Fj%2F1",
  "https://www.google.com/search?q=https%3A%2F%2Fzoom.us%2Fj%2F123456",
  "https://ada:secret@zoom.us/j/123456789",
  "https://ada@zoom.us/j/123456789",
  "ada@zoom.us/j/123456789",
  "javascript:alert('zoom')",
];

/** Letters, symbols and joints with which a link goes on, and what the finder makes of them. */
const OTHER_LETTERS: readonly [text: string, url: string | undefined][] = [
  ...["MüllerStandup", "meet/josé.garcia", "стендап", "मीटिंग", "定例会議", "회의-1", "اجتماع", "Mu\u0308ller", "①"].map(
    (path): [string, string] => [`https://meet.example.com/${path}`, `https://meet.example.com/${path}`],
  ),
  ["https://acme.webex.com/meet/josé.garcia now", "https://acme.webex.com/meet/josé.garcia"],
  ["meet.example.com/Zoë, please", "https://meet.example.com/Zoë"],
  [safeLink("https://meet.example.com/Zoë"), "https://meet.example.com/Zoë"],
  ["参加はhttps://meet.example.com/room。", "https://meet.example.com/room"],
  ["参加はmeet.google.com/abc-defg-hijから", MEET],
  ["参加はhttps://zoom.us/j/85412345678?pwd=abcです", "https://zoom.us/j/85412345678?pwd=abc"],
  ["https://acme.webex.com/meet/adaです", undefined],
  ["请点https://zoom.us/j/85412345678进入", "https://zoom.us/j/85412345678"],
  ...["“", "”", "»", "«", "」", "（", "，", "؟", "।", "&rdquo;", " – x"].map((mark): [string, string] => [
    `https://meet.example.com/Ada${mark}`,
    "https://meet.example.com/Ada",
  ]),
  ["'https://meet.example.com/Ada', 'x'", "https://meet.example.com/Ada"],
  // Where it is not clear how a link goes on, there is none.
  ..."Ada’s Ada's a–b a—b party🎉room a→ a\ud800 Adaに a・b a[b a(b a^b M&uuml;ller"
    .split(" ")
    .map((path): [string, undefined] => [`https://meet.example.com/${path} x`, undefined]),
  ["mümeet.google.com/abc-defg-hij", undefined],
  ["https://meet.example.com/ahttps://meet.example.com/b", "https://meet.example.com/b"],
  ["https://meet.example.com/team-\nstandup", undefined],
  ["https://zoom.us/j/85412345678?\npwd=abc", undefined],
  ["https://urldefense.com/v3/__https://meet.example.com/room__;!!AbC!xyz$", undefined],
];

/** The number of a meeting is whole, or there is no link. */
const NUMBERS: readonly [text: string, url: string | undefined][] = [
  ...[
    "854 1234 5678",
    "8541234\n5678",
    "854123456\n78",
    "854123456\r\n78?pwd=x",
    "854123456 78",
    "854123456–78",
    "8541234567\n8 Passcode: 1",
  ].map((number): [string, undefined] => [`https://zoom.us/j/${number}`, undefined]),
  ...["85412345", "854123456789", "８５４１２３４５６７"].map((id): [string, undefined] => [
    `zoom.us/j/${id}`,
    undefined,
  ]),
  ...[
    "854123456\n10:00",
    "854123456\nMeeting ID: 854 123 456",
    "854123456 10am",
    "8541234567\n2 topics",
    "8541234567 2 people",
    "8541234567 - 5",
    "8541234567\n- 5 topics",
    "8541234567 2/12",
    "854123456\n123",
    "85412345678\n1",
  ].map((text): [string, string] => [`https://zoom.us/j/${text}`, `https://zoom.us/j/${/^\d+/.exec(text)?.[0]}`]),
];

const INVISIBLE = [..."\u200b\u200c\u200d\u200e\u2060\u00ad\ufeff\u061c\u202a\u2064\u034f"];

const HALVES: readonly string[] = [
  `${TEAMS.slice(0, 60)}…`,
  `${TEAMS.slice(0, 60)}...`,
  TEAMS.slice(0, 60),
  TEAMS.slice(0, 75),
  TEAMS.slice(0, 100),
  TEAMS.slice(0, -1),
  "https://teams.microsoft.com/l/meetup-join/19%3ameeting_x%40thread.v2",
  'https://teams.microsoft.com/l/meetup-join/19:meeting_x@thread.v2/0?context={"Tid": "1"}',
  "https://teams.microsoft.com/l/meetup-join/19*3ameeting_x*40thread.v2/0",
  "https://teams.microsoft.com/meet/2345?p=",
  "https://zoom.us/j/123456789?pwd= abc",
  "https://zoom.us/j/123456789?pwd=é",
  "https://zoom.us/j/123456789?pwd=a%4",
  "https://zoom.us/j/123456789abc",
  "https://meet.google.com/abc-defg",
  "https://acme.webex.com/acme/j.php",
  "https://acme.webex.com/acme/j.php?MTID=",
  `https://eur01.safelinks.protection.outlook.com/?url=${encoded(TEAMS).slice(0, 90)}`,
  `${MEET}?x=${"y".repeat(9_000)}`,
];

describe("parseMeetingLink", () => {
  it.each([
    ...FOUND,
    ...AS_WRITTEN.map((url) => [url, `Join ${url} !`, url] as const),
    ...WITHOUT_SCHEME.map((url) => [url, `Join ${url} !`, `https://${url}`] as const),
  ])("finds the link in %s, and sendBot accepts it", async (_, text, url) => {
    const { notetaker, seen } = clientOf(() => json({ meeting_id: "mtg_1", status: "scheduling" }, 202));
    expect(parseMeetingLink(text)).toEqual({ service: serviceOf(url), url });
    await notetaker.meetings.sendBot({ meeting_url: url });
    expect(seen.map(({ body }) => JSON.parse(body))).toEqual([{ meeting_url: url }]);
  });

  it("finds no link in other texts, nor in a value that is not a string", () => {
    for (const value of [...NOT_FOUND, undefined, null, 5, {}, [MEET]])
      expect(parseMeetingLink(value as string), String(value)).toBeUndefined();
  });

  it.each(HALVES)("finds no link in a part of one: %s", (text) => {
    expect(parseMeetingLink(`Join ${text}`)).toBeUndefined();
  });

  it.each([...OTHER_LETTERS, ...NUMBERS])("takes %j for a whole link or for none", (text, url) => {
    const found = parseMeetingLink(text, { conferenceHosts: ["meet.example.com"] });
    expect(found?.url).toBe(url);
  });

  it("finds, in any text, no beginning of a link that goes on with a letter", () => {
    const room = fc.string({
      unit: fc.constantFrom("a", "Z", "7", "é", "и", "會", "ก", "ا", "🎉", "–", "’", "·", "'"),
    });
    fc.assert(
      fc.property(room, room, fc.constantFrom("", " ", "\n", "”", ">"), (before, after, end) => {
        const path = `x${before}é${after}z`;
        const found = parseMeetingLink(`See https://meet.example.com/${path}${end}`, {
          conferenceHosts: ["meet.example.com"],
        });
        expect([undefined, `https://meet.example.com/${path}`]).toContain(found?.url);
      }),
    );
  });

  it("finds a link with invisible characters at any place, and sendBot sends it without them", async () => {
    const { notetaker, seen } = clientOf(() => json({ meeting_id: "mtg_1", status: "scheduling" }, 202));
    await fc.assert(
      fc.asyncProperty(fc.nat(MEET.length), fc.constantFrom(...INVISIBLE), async (at, character) => {
        const pasted = brokenAt(MEET, at, character);
        expect(parseMeetingLink(`Join ${pasted} now`)?.url).toBe(MEET);
        await notetaker.meetings.sendBot({ meeting_url: pasted });
        expect(JSON.parse(seen.at(-1)?.body ?? "")).toEqual({ meeting_url: MEET });
      }),
    );
    // In Persian and Hindi, a joiner within a word is a letter of the link: it is not removed, and the link not cut there.
    const persian = "https://meet.example.com/می\u200cروم";
    expect(parseMeetingLink(persian, { conferenceHosts: ["meet.example.com"] })).toBeUndefined();
  });

  it.each(["https://a.example", "a.example/", "*.example.com", "a.example:8443", "example", "", 5])(
    "refuses the further host %j, which no link has",
    (host) => {
      expect(() => parseMeetingLink(MEET, { conferenceHosts: ["a.example", host as string] })).toThrow(
        /^conferenceHosts\[1\]: expected a host name such as meet.example.com/,
      );
      expect(() => clientOf(() => json({}), { conferenceHosts: [host as string] })).toThrow(/conferenceHosts/);
      expect(() => createEmulator({ conferenceHosts: [host as string] })).toThrow(/conferenceHosts/);
    },
  );

  it("finds links to the further hosts that the client accepts", async () => {
    const conferenceHosts = ["meet.example.com", "Calls.example.org"];
    const { notetaker, seen } = clientOf(() => json({ meeting_id: "mtg_1", status: "scheduling" }, 202), {
      conferenceHosts,
    });
    for (const [text, url] of [
      ["https://meet.example.com/ or eu.meet.example.com/room-1.", "https://eu.meet.example.com/room-1"],
      [safeLink("https://calls.example.org/#/room"), "https://calls.example.org/#/room"],
    ] as const) {
      expect(parseMeetingLink(text)).toBeUndefined();
      const link = parseMeetingLink(text, { conferenceHosts });
      expect(link).toEqual({ service: "other", url });
      await notetaker.meetings.sendBot({ meeting_url: url });
    }
    expect(seen).toHaveLength(2);
    expect([MEET].map(parseMeetingLink as (text: string) => unknown)).toEqual([{ service: "google_meet", url: MEET }]);
    expect(() => parseMeetingLink(MEET, { conferenceHosts: "meet.example.com" as never })).toThrow(
      /^conferenceHosts: expected a list of hosts$/,
    );
  });

  it("decodes the entities and the escapes of ASCII characters as a library for Markdown does", () => {
    const { unescapeAll } = new MarkdownIt().utils;
    const names =
      "amp AMP lt LT gt GT quot QUOT apos Tab NewLine excl num dollar percnt lpar rpar ast midast plus comma period sol colon semi equals quest commat lsqb lbrack bsol rsqb rbrack Hat lowbar UnderBar grave DiacriticalGrave lcub lbrace verbar vert VerticalLine rcub rbrace hellip mldr";
    const texts = [
      ...names.split(" ").map((name) => `a&${name};b`),
      ...Array.from("!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~", (mark) => `a\\${mark}b`),
      ...["&#61;", "&#x3D;", "&#0061;", "&#X3d;", "&toString;a"].map((text) => `a${text}b`),
    ];
    for (const text of texts.slice(0, -1)) expect(decodeText(text), text).toBe(unescapeAll(text));
    expect(decodeText("a&nbsp;b&constructor;c&#0;d&#x110000;e&shy;f")).toBe("a b\ufffdc\ufffdd\ufffdef");
  });

  it("never throws, and finds a link anywhere in other text", () => {
    const piece = fc.oneof(
      fc.string({ unit: "binary" }),
      fc.constantFrom("https://", "&amp;", "&quot;", "google.com/url?q=", "zoom.us/", "%", "%zz", "BEGIN:VEVENT\n"),
    );
    fc.assert(
      fc.property(fc.array(piece), fc.array(piece), (before, after) => {
        parseMeetingLink([...before, ...after].join(""));
        const clean = before.filter((text) => parseMeetingLink(text) === undefined).join(" ");
        const found = parseMeetingLink(`${clean}\n${MEET}\n${after.join("")}`);
        expect(found).toBeDefined();
      }),
    );
  });
});
