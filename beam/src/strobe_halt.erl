%% @doc Runs a function before the VM halts.
%%
%% `halt()' and `halt(Status)' end the VM at once: no process is notified, so nothing can be collected afterwards.
%% Both are short Erlang functions of the module `erlang' that call the BIF `halt/2'. This module loads a copy of
%% `erlang' in which that call goes to {@link halt/2} here. Use it only in a VM that was started to be measured.
%%
%% A program that calls `halt/2' itself, with options, is not noticed.
-module(strobe_halt).

-export([before/1, nevermind/0, halt/2]).

%% @doc Run `Fun' once before the VM halts, in the process that halts it.
-spec before(fun(() -> term())) -> ok | {error, term()}.
before(Fun) ->
    persistent_term:put(?MODULE, Fun),
    case code:get_object_code(erlang) of
        {erlang, Beam, File} -> load(fun() -> redirect(Beam) end, File);
        error                -> {error, no_object_code}
    end.

%% @doc Restore the module `erlang'. A VM that stops with a status unloads every module except `erlang' and a few others
%% before it halts, this module included.
-spec nevermind() -> ok | {error, term()}.
nevermind() ->
    case code:get_object_code(erlang) of
        {erlang, Beam, File} -> load(fun() -> true = code:soft_purge(erlang), Beam end, File);
        error                -> {error, no_object_code}
    end.

%% @private
halt(Status, Options) ->
    Fun = persistent_term:get(?MODULE),
    try Fun() catch _:_ -> ok end,
    erlang:halt(Status, Options).

load(Get, File) ->
    try
        Beam = Get(),
        Sticky = code:is_sticky(erlang),
        true = code:unstick_mod(erlang),
        {module, erlang} = code:load_binary(erlang, File, Beam),
        _ = Sticky andalso code:stick_mod(erlang),
        ok
    catch
        error:Reason -> {error, Reason}
    end.

%% Replaces the import of erlang:halt/2 by one of ?MODULE:halt/2.
redirect(Beam) ->
    {ok, _, Chunks} = beam_lib:all_chunks(Beam),
    {ok, {erlang, [{atoms, Atoms}]}} = beam_lib:chunks(Beam, [atoms]),
    {Erlang, _} = lists:keyfind(erlang, 2, Atoms),
    {Halt, _} = lists:keyfind(halt, 2, Atoms),
    {Name, AtomChunk} = atom_chunk(Chunks),
    {Us, MoreAtoms} = add_atom(AtomChunk, atom_to_binary(?MODULE)),
    {_, Imports} = lists:keyfind("ImpT", 1, Chunks),
    Redirected = iolist_to_binary(imports(Imports, {Erlang, Halt, 2}, Us)),
    true = Redirected =/= Imports,
    With = lists:keyreplace(Name, 1, Chunks, {Name, iolist_to_binary(MoreAtoms)}),
    {ok, Changed} = beam_lib:build_module(lists:keyreplace("ImpT", 1, With, {"ImpT", Redirected})),
    Changed.

%% A chunk of imports has their number, then three numbers for each. This code does not match binaries, since OTP 29
%% does not load what the compiler of OTP 25 generates for that.
imports(Chunk, Old, Us) ->
    [binary:part(Chunk, 0, 4) | [<<(module(Import, Old, Us)):32, F:32, A:32>>
                                 || {_, F, A} = Import <- imports(Chunk, 4)]].

imports(Chunk, At) when At >= byte_size(Chunk) -> [];
imports(Chunk, At) -> [{number(Chunk, At), number(Chunk, At + 4), number(Chunk, At + 8)} | imports(Chunk, At + 12)].

number(Chunk, At) -> binary:decode_unsigned(binary:part(Chunk, At, 4)).

module(Import, Import, Us) -> Us;
module({M, _, _}, _, _)    -> M.

atom_chunk(Chunks) -> lists:keyfind("AtU8", 1, Chunks).

%% The atom table holds the length and the text of each atom. From OTP 28 on its count is negative and lengths are
%% packed: those below 16 are in the upper half of a byte.
add_atom(Chunk, Name) when byte_size(Name) < 16 ->
    Atoms = binary:part(Chunk, 4, byte_size(Chunk) - 4),
    case number(Chunk, 0) of
        Count when Count < 1 bsl 31 -> {Count + 1, [<<(Count + 1):32>>, Atoms, byte_size(Name), Name]};
        Packed                      ->
            {(1 bsl 32) - Packed + 1, [<<(Packed - 1):32>>, Atoms, byte_size(Name) bsl 4, Name]}
    end.
