import { errorResponse } from "notetaker-sdk";
import { toVtt } from "notetaker-sdk/transcript";
import { notetaker } from "../../../../../lib/notetaker";

export async function GET(
  _: Request,
  { params }: { params: Promise<{ id: string }> },
) {
  try {
    const { id } = await params;
    const transcript = await notetaker().meetings.getTranscript(id);
    return new Response(toVtt(transcript), {
      headers: { "content-type": "text/vtt; charset=utf-8" },
    });
  } catch (error) {
    return errorResponse(error);
  }
}
